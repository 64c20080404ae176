/// The store's answer to a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
    /// The store accepted the purchase. The transaction is not finished yet.
    case purchased(SignedTransaction)
    /// Somebody has to approve it first (Ask to Buy), or the bank. Once approved, it arrives through
    /// ``PurchaseSource/updates``.
    case pending
    /// The player changed their mind.
    case cancelled
}
