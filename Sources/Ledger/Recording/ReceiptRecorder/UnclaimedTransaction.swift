package import InAppPurchase

/// A transaction whose original transaction has no owner yet. It waits for one.
package struct UnclaimedTransaction: Sendable {
    package var transaction: Transaction
    /// The product when the transaction was first reported; `nil` if the catalog had none that fits.
    package var terms: Product?

    package init(transaction: Transaction, terms: Product?) {
        self.transaction = transaction
        self.terms = terms
    }
}
