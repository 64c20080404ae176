import Foundation
import InAppPurchase

/// An entry that an administrator wants to save, with what it was made from.
struct EntryDraft: ReviewedDraft {
    let app: BundleID
    /// The product; `nil` if the entry names it.
    let product: ProductID?
    let entry: Data
    /// The entry as it was when the form was made; empty for a new product.
    let base: Data
    /// The catalog's revision at that time, or ``new``.
    let revision: String

    /// The edit, which applies only to the state that the form was made from.
    var edit: CatalogEdit {
        let revision = revision
        return CatalogEdit(app: app, product: product, act: .put(entry)) { exists, current in
            revision == Self.new ? !exists : exists && current == revision
        }
    }

    /// The edit, whatever the state is by now.
    var editOfAny: CatalogEdit { CatalogEdit(app: app, product: product, act: .put(entry)) }
}
