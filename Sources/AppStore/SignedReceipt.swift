public import InAppPurchase

/// What a client may send as signed data (StoreKit 2), verified.
public enum SignedReceipt: Hashable, Sendable {
    case transaction(Transaction)
    /// Proof of the app itself: good, and with no purchase in it.
    case appTransaction(AppTransaction)

    /// What it vouches for.
    public var receipt: VerifiedReceipt {
        switch self {
        case .transaction(let transaction): VerifiedReceipt(transactions: [transaction])
        case .appTransaction: VerifiedReceipt(transactions: [])
        }
    }
}
