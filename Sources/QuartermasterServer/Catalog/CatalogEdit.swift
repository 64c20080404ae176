import Foundation
import InAppPurchase

/// What somebody wants of one product of one app.
struct CatalogEdit: Sendable {
    enum Act: Sendable {
        /// Adds the entry with this JSON, or puts it in place of the one that stands there.
        case put(Data)
        case remove
    }

    var app: BundleID
    /// Nil: the one that the entry names.
    var product: ProductID?
    var act: Act
    /// Whether the edit is still wanted when its turn comes, given whether the product exists and the file's revision.
    var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool = { _, _ in true }
}
