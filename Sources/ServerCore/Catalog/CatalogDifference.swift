import Foundation
package import InAppPurchase

/// The products and the settings of apps in which two catalogs differ, for the audit trail.
package struct CatalogDifference: Hashable, Sendable {
    /// The maximum number of products of each kind that an audit row names; their count is always complete.
    package static let maximumNamed = 1_000

    /// An app's bundle ID and a product ID.
    package struct Key: Hashable, Sendable {
        package var app: BundleID
        package var product: ProductID
    }

    package private(set) var added: [Key] = []
    package private(set) var changed: [Key] = []
    package private(set) var removed: [Key] = []
    /// The names of the members in which the entries of an app differ, besides its products.
    package private(set) var settings: [BundleID: [String]] = [:]

    package init(from old: CatalogFile, to new: CatalogFile) {
        let (before, after) = (old.entries, new.entries)
        let known = Dictionary(before) { first, _ in first }
        let present = Set(after.map(\.0))
        added = after.map(\.0).filter { known[$0] == nil }
        changed = after.filter { key, json in known[key].map { $0 != json } ?? false }.map(\.0)
        removed = before.map(\.0).filter { !present.contains($0) }
        let (oldSettings, newSettings) = (old.settings, new.settings)
        for app in Set(oldSettings.keys).union(newSettings.keys) {
            let (before, after) = (oldSettings[app] ?? [:], newSettings[app] ?? [:])
            let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            if !names.isEmpty { settings[app] = names.sorted() }
        }
    }

    package var content: [String: JSONValue] {
        var content: [String: JSONValue] = [:]
        for (name, keys) in [("added", added), ("changed", changed), ("removed", removed)] {
            content[name] = .array(keys.prefix(Self.maximumNamed).map { .string($0.product.text) })
            if keys.count > Self.maximumNamed { content[name + "Count"] = .integer(keys.count) }
        }
        if !settings.isEmpty {
            let named = settings.sorted { $0.key < $1.key }.prefix(Self.maximumNamed)
            content["settings"] = .object(
                Dictionary(named.map { ($0.key.text, .array($0.value.map { .string($0) })) }) { first, _ in first })
        }
        let apps = Set((added + changed + removed).map(\.app)).union(settings.keys)
        content["apps"] = .array(apps.sorted().map { .string($0.text) })
        return content
    }
}

extension CatalogFile {
    /// The members of each app's entry besides its ID and products, each on one line; empty if the text is not UTF-8.
    fileprivate var settings: [BundleID: [String: Data]] {
        let text = text
        let all = catalog.apps.enumerated().map { index, app in (app.bundleID, text?.settings(ofApp: index) ?? [:]) }
        return Dictionary(all) { first, _ in first }
    }

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
