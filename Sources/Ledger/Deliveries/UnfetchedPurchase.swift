package import InAppPurchase
package import Foundation

/// A bundle that was paid for, and whose manifest was never asked for.
package struct UnfetchedPurchase: Hashable, Sendable {
    package var account: AccountID
    package var bundle: BundleName
    package var product: ProductID
    /// The oldest that opens the bundle.
    package var transaction: Transaction.Key
    /// When it was delivered.
    package var date: Date

    package init(
        account: AccountID, bundle: BundleName, product: ProductID, transaction: Transaction.Key, date: Date
    ) {
        self.account = account
        self.bundle = bundle
        self.product = product
        self.transaction = transaction
        self.date = date
    }
}
