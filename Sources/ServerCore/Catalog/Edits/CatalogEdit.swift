package import Foundation
package import InAppPurchase

/// A requested edit of one product of one app.
package struct CatalogEdit: CatalogOperation {
    package enum Act: Sendable {
        /// Adds an entry with this JSON, or replaces the existing one.
        case put(Data)
        /// Gives members of the existing entry other values, as JSON, or removes those without one.
        case set([(name: String, value: Data?)])
        case remove
    }

    package var app: BundleID
    /// The product's ID; `nil` for the one that the entry has.
    package var product: ProductID?
    package var act: Act
    /// Whether the edit still applies when its turn comes, given whether the product exists and the catalog's revision.
    package var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool

    package init(
        app: BundleID, product: ProductID? = nil, act: Act,
        condition: @escaping @Sendable (_ exists: Bool, _ revision: String) -> Bool = { _, _ in true }
    ) {
        self.app = app
        self.product = product
        self.act = act
        self.condition = condition
    }

    package func change(
        of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) throws -> CatalogChange {
        try file.applying(self, bundles: bundles, handlers: handlers)
    }
}
