package import Foundation
package import InAppPurchase

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
