package import Foundation
package import InAppPurchase

/// A product of the catalog that the store did not know, as apps reported on one day.
package struct UnavailableProduct: Hashable, Sendable {
    /// The number of addresses from which it is shown: one of them alone may say anything.
    package static let shownAddresses = 3
    /// The maximum number of addresses that are counted for a product on one day: enough to see that it is not one
    /// player's.
    package static let maximumAddresses = 20
    /// The maximum number of rows of one day, of all products and addresses.
    package static let maximumRowsPerDay = 10_000
    /// The number of days that are stored, including today.
    package static let storedDays = 30
    /// The maximum number of entries that are listed.
    package static let maximumListed = 1_000

    package var app: BundleID
    package var product: ProductID
    /// The number of days since 1970, in UTC.
    package var day: Int
    /// The number of addresses, up to ``maximumAddresses``.
    package var addresses: Int

    package init(app: BundleID, product: ProductID, day: Int, addresses: Int) {
        self.app = app
        self.product = product
        self.day = day
        self.addresses = addresses
    }

    /// The beginning of the day.
    package var date: Date { Date(timeIntervalSince1970: Double(day) * 86_400) }
}
