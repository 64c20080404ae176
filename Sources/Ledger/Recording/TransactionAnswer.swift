package import InAppPurchase

/// The outcome of one transaction of a receipt.
package struct TransactionAnswer: Sendable {
    package var transaction: Transaction
    package var outcome: Outcome
    /// The remedy that the app can offer; `nil` if no other account owns it.
    package var remedy: TransferRemedy?

    package init(transaction: Transaction, outcome: Outcome, remedy: TransferRemedy? = nil) {
        self.transaction = transaction
        self.outcome = outcome
        self.remedy = remedy
    }
}
