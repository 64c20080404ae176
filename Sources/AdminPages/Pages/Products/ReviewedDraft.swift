import Foundation
import InAppPurchase
import ServerCore

/// An edit that an administrator wants to save, with what it was made from.
protocol ReviewedDraft: Sendable {
    associatedtype Edit: CatalogOperation

    var entry: Data { get }
    /// The entry as it was when the form was made; empty for a new one.
    var base: Data { get }
    /// The catalog's revision at that time, or ``ReviewedDraft/new``.
    var revision: String { get }
    /// The edit, which applies only to the state that the form was made from.
    var edit: Edit { get }
    /// The edit, whatever the state is by now.
    var editOfAny: Edit { get }
}

extension ReviewedDraft {
    /// The revision in the form of an entry that is to be added.
    static var new: String { "new" }
}

/// Settings of an app that an administrator wants to save, with what they were made from.
struct AppDraft: ReviewedDraft {
    let app: BundleID
    let entry: Data
    let base: Data
    let revision: String

    var edit: AppEdit {
        let revision = revision
        return AppEdit(app: app, act: .put(entry)) { exists, current in
            revision == Self.new ? !exists : exists && current == revision
        }
    }

    var editOfAny: AppEdit { AppEdit(app: app, act: .put(entry)) }
}

/// An entry that an administrator wants to save, with what it was made from.
struct EntryDraft: ReviewedDraft {
    let app: BundleID
    /// The product; `nil` if the entry names it.
    let product: ProductID?
    let entry: Data
    /// The entry as it was when the form was made; empty for a new product.
    let base: Data
    /// The catalog's revision at that time, or ``ReviewedDraft/new``.
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
