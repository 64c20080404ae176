package import Foundation
package import InAppPurchase

/// A filter of deliveries, or of purchases that wait for one.
package struct DeliveryFilter: Hashable, Sendable {
    /// The latest date of the first delivery of a manifest, or of the delivery of the purchase.
    package var until: Date
    /// The app of the purchase; `nil` for every app, and for what nobody paid for.
    package var app: BundleID?
    package var bundle: BundleName?
    package var account: AccountID?

    package init(until: Date, app: BundleID? = nil, bundle: BundleName? = nil, account: AccountID? = nil) {
        self.until = until
        self.app = app
        self.bundle = bundle
        self.account = account
    }
}
