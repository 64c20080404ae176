package import Foundation
package import InAppPurchase

/// A bundle that was purchased, and whose manifest was never requested.
package struct UnfetchedPurchase: Hashable, Sendable {
    package var account: AccountID
    package var bundle: BundleName
    package var product: ProductID
    /// The first delivered transaction that gives access to the bundle.
    package var transaction: Transaction.Key
    /// The date of its delivery.
    package var date: Date

    package init(account: AccountID, bundle: BundleName, product: ProductID, transaction: Transaction.Key, date: Date) {
        self.account = account
        self.bundle = bundle
        self.product = product
        self.transaction = transaction
        self.date = date
    }
}

/// The position of a bundle that was purchased and never requested in the list of all, oldest first.
package struct UnfetchedPosition: Hashable, Sendable {
    package var date: Date
    package var account: AccountID
    package var bundle: BundleName

    package init(date: Date, account: AccountID, bundle: BundleName) {
        self.date = date
        self.account = account
        self.bundle = bundle
    }

    package init(_ purchase: UnfetchedPurchase) {
        self.init(date: purchase.date, account: purchase.account, bundle: purchase.bundle)
    }
}
