/// What the store told of an original transaction that has no owner yet. It waits for one.
public struct UnclaimedTransaction: Sendable {
    public var transaction: Transaction
    /// The product when the store first told of it; nil where the catalog had none that fits.
    public var terms: Product?

    public init(transaction: Transaction, terms: Product?) {
        self.transaction = transaction
        self.terms = terms
    }
}
