/// The store's answer to a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
    /// The store took the purchase. The transaction is not finished yet.
    case purchased(SignedTransaction)
    /// Somebody has to approve it first (Ask to Buy), or the bank. It comes by ``PurchaseSource/updates``, if it does.
    case pending
    /// The player changed their mind.
    case cancelled
}
