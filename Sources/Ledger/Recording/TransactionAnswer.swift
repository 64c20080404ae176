package import InAppPurchase

/// What became of one transaction of a receipt.
package struct TransactionAnswer: Sendable {
    package var transaction: Transaction
    package var outcome: Outcome
    /// What the app can do about it; nil if no other account owns it.
    package var remedy: TransferRemedy?

    package init(transaction: Transaction, outcome: Outcome, remedy: TransferRemedy? = nil) {
        self.transaction = transaction
        self.outcome = outcome
        self.remedy = remedy
    }
}
