/// What became of one transaction of a receipt.
public struct TransactionAnswer: Sendable {
    public var transaction: Transaction
    public var outcome: Outcome
    /// What the app can do about it; nil if no other account owns it.
    public var remedy: TransferRemedy?

    public init(transaction: Transaction, outcome: Outcome, remedy: TransferRemedy? = nil) {
        self.transaction = transaction
        self.outcome = outcome
        self.remedy = remedy
    }
}
