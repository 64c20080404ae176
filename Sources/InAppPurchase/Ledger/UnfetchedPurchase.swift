public import Foundation

/// A bundle that was paid for, and whose manifest was never asked for.
public struct UnfetchedPurchase: Hashable, Sendable {
    public var account: AccountID
    public var bundle: BundleName
    public var product: ProductID
    /// The oldest that opens the bundle.
    public var transaction: Transaction.Key
    /// When it was delivered.
    public var date: Date

    public init(
        account: AccountID, bundle: BundleName, product: ProductID, transaction: Transaction.Key, date: Date
    ) {
        self.account = account
        self.bundle = bundle
        self.product = product
        self.transaction = transaction
        self.date = date
    }
}
