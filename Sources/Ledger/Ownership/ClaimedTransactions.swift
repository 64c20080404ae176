import InAppPurchase

/// The ownership of original transactions after a claim.
struct ClaimedTransactions {
    /// The original transactions that have an owner.
    var originalTransactions: [OriginalTransaction.Key: OriginalTransaction]
    /// The remedies for original transactions that belong to another account than the one that presents them.
    var remedies: [OriginalTransaction.Key: TransferRemedy] = [:]
    /// The original transactions that were transferred with their credits, and the account that had those.
    var creditsTakenFrom: [OriginalTransaction.Key: AccountID] = [:]
}
