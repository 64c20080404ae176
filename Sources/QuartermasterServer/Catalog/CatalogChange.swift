import Foundation
import InAppPurchase

/// The result of an edit.
struct CatalogChange: Sendable {
    enum Outcome: String, Encodable, Sendable {
        case added
        case changed
        case unchanged
        case removed
    }

    var app: BundleID
    var product: ProductID
    var outcome: Outcome
    /// The bytes of the entry before; `nil` if there was none.
    var before: Data?
    /// The bytes of the entry after; `nil` if it was removed.
    var after: Data?
    /// The catalog before and after; the same if nothing changed.
    var files: (old: CatalogFile, new: CatalogFile)
}
