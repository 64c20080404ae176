package import InAppPurchase

/// What a refund took of one currency, and what of it was forgiven. Kept, so that a reversal of the refund gives back
/// what was really taken.
package struct AppliedRefund: Hashable, Sendable {
    package struct Key: Hashable, Sendable {
        package var account: AccountID
        package var scope: Scope
        /// The refunded transaction; of a purchase that the store restored, the original one.
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
    /// The credits of the purchase, or the refunded share of them; 0 where the refund was reversed.
    package var amount: Int
    /// What of ``amount`` a posting of kind ``Posting/Kind/forgiveness`` gave back.
    package var forgiven: Int

    package init(key: Key, product: ProductID, amount: Int, forgiven: Int) {
        self.key = key
        self.product = product
        self.amount = amount
        self.forgiven = forgiven
    }
}
