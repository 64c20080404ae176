import Foundation
import InAppPurchase
import Ledger

/// The products that the store did not know, as `GET /admin/v1/apps/{bundleID}/unavailable-products` returns them and
/// `products unavailable --json` prints them, the newest day first.
struct UnavailableProductListBody: Encodable {
    struct Entry: Encodable {
        var app: BundleID
        var product: ProductID
        /// The day in UTC, such as `2026-11-22`.
        var day: String
        var addresses: Int
    }

    var products: [Entry]

    init(_ products: [UnavailableProduct]) {
        self.products = products.map { product in
            Entry(
                app: product.app, product: product.product, day: String(product.date.rfc3339.prefix(10)),
                addresses: product.addresses)
        }
    }

    var table: TextTable {
        TextTable(
            ["Day", "App", "Product", "Addresses"],
            products.map { [$0.day, $0.app.text, $0.product.text, "\($0.addresses)"] })
    }
}
