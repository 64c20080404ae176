/// What a refund took of one currency, and what of it was forgiven. Kept, so that a reversal of the refund gives back
/// what was really taken.
public struct AppliedRefund: Hashable, Sendable {
    public struct Key: Hashable, Sendable {
        public var account: AccountID
        public var scope: Scope
        /// The refunded transaction; of a purchase that the store restored, the original one.
        public var transaction: TransactionID
        public var currency: Currency

        public init(account: AccountID, scope: Scope, transaction: TransactionID, currency: Currency) {
            self.account = account
            self.scope = scope
            self.transaction = transaction
            self.currency = currency
        }
    }

    public var key: Key
    public var product: ProductID
    /// The credits of the purchase, or the refunded share of them; 0 where the refund was reversed.
    public var amount: Int
    /// What of ``amount`` a posting of kind ``Posting/Kind/forgiveness`` gave back.
    public var forgiven: Int

    public init(key: Key, product: ProductID, amount: Int, forgiven: Int) {
        self.key = key
        self.product = product
        self.amount = amount
        self.forgiven = forgiven
    }
}
