import Foundation
import InAppPurchase

/// A requested edit of one product of one app.
struct CatalogEdit: CatalogOperation {
    enum Act: Sendable {
        /// Adds an entry with this JSON, or replaces the existing one.
        case put(Data)
        case remove
    }

    var app: BundleID
    /// The product's ID; `nil` for the one that the entry has.
    var product: ProductID?
    var act: Act
    /// Whether the edit still applies when its turn comes, given whether the product exists and the catalog's revision.
    var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool = { _, _ in true }

    func change(
        of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) throws -> CatalogChange {
        try file.applying(self, bundles: bundles, handlers: handlers)
    }
}
