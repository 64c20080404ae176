import InAppPurchase

/// Who owns the original transactions after what was shown.
struct ClaimedTransactions {
    /// Without those that have no owner.
    var originalTransactions: [OriginalTransaction.Key: OriginalTransaction]
    /// What the app can do about original transactions that belong to another account than the one that shows them.
    var remedies: [OriginalTransaction.Key: TransferRemedy] = [:]
    /// Original transactions that moved with their credits, and the account that had those.
    var creditsTakenFrom: [OriginalTransaction.Key: AccountID] = [:]
}
