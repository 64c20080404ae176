package import Foundation
package import InAppPurchase

/// A product that was bought in Production and never was in the catalog: its players paid and have nothing.
package struct MissingProduct: Hashable, Sendable {
    /// The maximum number of purchases that are looked at; beyond it the numbers say nothing more.
    package static let maximumPurchases = 1_000

    package var app: BundleID
    package var product: ProductID
    /// The number of its purchases, at most ``maximumPurchases``.
    package var purchases: Int
    /// The date of the oldest one.
    package var oldest: Date
    /// The App Store's type of the product, as its purchases prove it; `nil` if none does.
    package var type: ProductType?

    package init(app: BundleID, product: ProductID, purchases: Int, oldest: Date, type: ProductType? = nil) {
        self.app = app
        self.product = product
        self.purchases = purchases
        self.oldest = oldest
        self.type = type
    }

    /// One for each product, the most bought first.
    package static func sums(of all: [MissingProduct]) -> [MissingProduct] {
        let byProduct = Dictionary(grouping: all) { [$0.app.text, $0.product.text] }
        let sums = byProduct.values.compactMap { same -> MissingProduct? in
            guard var sum = same.first else { return nil }
            sum.purchases = same.map(\.purchases).reduce(0) { $0.saturatingAdding($1) }
            sum.oldest = same.map(\.oldest).min() ?? sum.oldest
            sum.type = same.filter { $0.type != nil }.max { $0.oldest < $1.oldest }?.type
            return sum
        }
        return sums.sorted { ($1.purchases, $0.app, $0.product) < ($0.purchases, $1.app, $1.product) }
    }
}
