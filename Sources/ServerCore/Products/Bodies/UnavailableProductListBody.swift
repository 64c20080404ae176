import Foundation
package import InAppPurchase
package import Ledger

/// The products that the store did not know, as `GET /admin/v1/apps/{bundleID}/unavailable-products` returns them and
/// `products unavailable --json` prints them, the newest day first.
package struct UnavailableProductListBody: Encodable {
    package struct Entry: Encodable {
        package var app: BundleID
        package var product: ProductID
        /// The day in UTC, such as `2026-11-22`.
        package var day: String
        package var addresses: Int
    }

    package var products: [Entry]

    package init(_ products: [UnavailableProduct]) {
        self.products = products.map { product in
            Entry(
                app: product.app, product: product.product, day: String(product.date.rfc3339.prefix(10)),
                addresses: product.addresses)
        }
    }

    package var table: TextTable {
        TextTable(
            ["Day", "App", "Product", "Addresses"],
            products.map { [$0.day, $0.app.text, $0.product.text, "\($0.addresses)"] })
    }
}
