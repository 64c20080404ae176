import Foundation
import InAppPurchase

/// What an edit makes of the file.
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
    /// The entry before, as it stood.
    var before: Data?
    /// The entry after, as it stands.
    var after: Data?
    /// The file before and after; the same where nothing changed.
    var files: (old: CatalogFile, new: CatalogFile)
}
