import Foundation
import InAppPurchase
import Ledger

/// The products that the store did not know, as `GET /admin/v1/apps/{bundleID}/unavailable-products` returns them and
/// `products unavailable --json` prints them, the newest day first.
struct UnavailableProductListBody: Encodable {
    struct Entry: Encodable {
        var app: BundleID
        var product: ProductID
        /// As `2026-11-22`, in UTC.
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

    /// The list for a terminal: a line for each product and day.
    var text: String {
        let lines = products.map { "\($0.day)\t\($0.app)\t\($0.product)\t\($0.addresses)" }
        return lines.isEmpty ? "none" : lines.joined(separator: "\n")
    }
}
