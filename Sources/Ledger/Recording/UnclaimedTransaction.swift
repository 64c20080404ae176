package import InAppPurchase

/// What the store told of an original transaction that has no owner yet. It waits for one.
package struct UnclaimedTransaction: Sendable {
    package var transaction: Transaction
    /// The product when the store first told of it; nil where the catalog had none that fits.
    package var terms: Product?

    package init(transaction: Transaction, terms: Product?) {
        self.transaction = transaction
        self.terms = terms
    }
}
