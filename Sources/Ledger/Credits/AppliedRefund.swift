package import InAppPurchase

/// The credits of one currency that a refund took, and the part of them that was forgiven. Recorded so that a reversal
/// of the refund gives back what was really taken.
package struct AppliedRefund: Hashable, Sendable {
    package struct Key: Hashable, Sendable {
        package var account: AccountID
        package var scope: Scope
        /// The refunded transaction; for a restored purchase, the original one.
        package var transaction: TransactionID
        package var currency: Currency

        package init(account: AccountID, scope: Scope, transaction: TransactionID, currency: Currency) {
            self.account = account
            self.scope = scope
            self.transaction = transaction
            self.currency = currency
        }
    }

    package var key: Key
    package var product: ProductID
    /// The credits of the purchase, or the refunded share of them; 0 if the refund was reversed.
    package var amount: Int
    /// The part of ``amount`` that postings of kind ``Posting/Kind/forgiveness`` gave back.
    package var forgiven: Int

    package init(key: Key, product: ProductID, amount: Int, forgiven: Int) {
        self.key = key
        self.product = product
        self.amount = amount
        self.forgiven = forgiven
    }
}
