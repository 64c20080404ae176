import Foundation
import InAppPurchase

/// The products in which two catalogs differ, for the audit trail.
struct CatalogDifference: Hashable, Sendable {
    /// The maximum of products of each kind that an audit row names; their count is always complete.
    static let maximumNamed = 1_000

    /// An app's bundle ID and a product ID.
    struct Key: Hashable, Sendable {
        var app: BundleID
        var product: ProductID
    }

    private(set) var added: [Key] = []
    private(set) var changed: [Key] = []
    private(set) var removed: [Key] = []

    init(from old: CatalogFile, to new: CatalogFile) {
        let (before, after) = (old.entries, new.entries)
        let known = Dictionary(before) { first, _ in first }
        let present = Set(after.map(\.0))
        added = after.map(\.0).filter { known[$0] == nil }
        changed = after.filter { key, json in known[key].map { $0 != json } ?? false }.map(\.0)
        removed = before.map(\.0).filter { !present.contains($0) }
    }

    var content: [String: JSONValue] {
        var content: [String: JSONValue] = [:]
        for (name, keys) in [("added", added), ("changed", changed), ("removed", removed)] {
            content[name] = .array(keys.prefix(Self.maximumNamed).map { .string($0.product.text) })
            if keys.count > Self.maximumNamed { content[name + "Count"] = .integer(keys.count) }
        }
        content["apps"] = .array(Set((added + changed + removed).map(\.app)).sorted().map { .string($0.text) })
        return content
    }
}

extension CatalogFile {
    /// Every product with its entry on one line; without the entries if the text is not UTF-8.
    fileprivate var entries: [(CatalogDifference.Key, Data)] {
        let text = text
        return catalog.apps.enumerated().flatMap { app, sold in
            sold.products.enumerated().map { product, entry in
                let key = CatalogDifference.Key(app: sold.bundleID, product: entry.id)
                return (key, text?.entry(.init(app: app, product: product))?.plainJSON ?? Data())
            }
        }
    }
}
