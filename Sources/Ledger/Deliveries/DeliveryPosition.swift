package import Foundation
package import InAppPurchase

/// The position of a delivery in the list of all, oldest first.
package struct DeliveryPosition: Hashable, Sendable {
    package var date: Date
    package var id: String

    package init(date: Date, id: String) {
        self.date = date
        self.id = id
    }

    package init(_ delivery: ManifestDelivery) { self.init(date: delivery.firstDate, id: delivery.id) }
}

/// The result of confirming a delivery.
package enum DeliveryConfirmation: Hashable, Sendable {
    case confirmed(Date)
    /// The account has another manifest than the one that it was issued.
    case mismatch
}

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
