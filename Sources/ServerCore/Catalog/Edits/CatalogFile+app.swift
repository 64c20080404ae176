import Foundation
import InAppPurchase
import StrictJSON

extension CatalogFile {
    /// The file with the edit of an app applied, decoded and checked as a whole. Nothing is written.
    ///
    /// - Throws: ``CatalogRefusal``
    func applying(_ edit: AppEdit, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws -> AppChange {
        let index = catalog.apps.firstIndex { $0.bundleID == edit.app }
        switch edit.act {
        case .put(let json), .merge(let json):
            try require(edit.condition(index != nil, revision))
            let settings = if case .merge = edit.act { try merging(json, intoApp: index) } else { json }
            let entry = try AppEntry(settings, id: edit.app, bundles: bundles, handlers: handlers)
            guard let index else { return try adding(entry, edit.app, bundles, handlers) }
            return try changing(index, to: entry, bundles, handlers)
        case .remove:
            guard let index else { throw CatalogRefusal.unknownApp }
            try require(edit.condition(true, revision))
            return try removing(index, bundles, handlers)
        }
    }

    /// The settings of an app, `nil` for a new one, after a merge patch.
    private func merging(_ patch: Data, intoApp index: Int?) throws -> Data {
        let patch = try ProductEntry.scan(patch) { .invalidApp($0) }.root
        guard patch["products"] == nil else { throw AppEntry.productsRefusal }
        let old = try index.flatMap { try editableText.settingsEntry(ofApp: $0) }
        return Data(JSONPart.merging(patch, into: try old.map { try ProductEntry.scan($0) { .invalidApp($0) }.root }))
    }

    private func adding(
        _ entry: AppEntry, _ app: BundleID, _ bundles: [BundleName], _ handlers: [any ProductHandler.Type]
    ) throws -> AppChange {
        let text = try editableText
        let new = try Self.edited(text.adding(app: entry.json), bundles, handlers) { .invalidApp($0) }
        let ids = catalog.apps.map(\.bundleID)
        return try change(app, .added, before: nil, at: ids.count, to: new, expecting: ids + [app])
    }

    private func changing(
        _ index: Int, to entry: AppEntry, _ bundles: [BundleName], _ handlers: [any ProductHandler.Type]
    ) throws -> AppChange {
        let (text, ids) = (try editableText, catalog.apps.map(\.bundleID))
        let (app, before) = (ids[index], text.settingsEntry(ofApp: index))
        guard text.settings(ofApp: index) != entry.settings else {
            return AppChange(app: app, outcome: .unchanged, before: before, after: before, files: (self, self))
        }
        let new = try Self.edited(text.replacing(settingsOfApp: index, with: entry.members), bundles, handlers) {
            .invalidApp($0)
        }
        guard new.text?.settings(ofApp: index) == entry.settings else { throw CatalogRefusal.notFoundInText }
        return try change(app, .changed, before: before, at: index, to: new, expecting: ids)
    }

    private func removing(
        _ index: Int, _ bundles: [BundleName], _ handlers: [any ProductHandler.Type]
    ) throws -> AppChange {
        let products = catalog.apps[index].products.count
        guard products == 0 else {
            throw CatalogRefusal.appInUse("Its catalog entry has \(products.counted("product")); remove them first.")
        }
        let (text, app) = (try editableText, catalog.apps[index].bundleID)
        let new = try Self.edited(text.removing(app: index), bundles, handlers) { .invalidApp($0) }
        var expected = catalog.apps.map(\.bundleID)
        expected.remove(at: index)
        let before = text.settingsEntry(ofApp: index)
        return try change(app, .removed, before: before, at: nil, to: new, expecting: expected)
    }

    /// - Throws: ``CatalogRefusal/invalidCatalog(_:)`` if the new text has other apps or products than the edit means:
    ///   then the position of the entry was misunderstood, and nothing must be written.
    private func change(
        _ app: BundleID, _ outcome: CatalogChange.Outcome, before: Data?, at index: Int?, to new: CatalogFile,
        expecting apps: [BundleID]
    ) throws -> AppChange {
        let products = catalog.apps.filter { apps.contains($0.bundleID) }.flatMap(\.products).map(\.id)
        guard new.catalog.apps.map(\.bundleID) == apps, new.catalog.apps.flatMap(\.products).map(\.id) == products
        else { throw CatalogRefusal.notFoundInText }
        let after = index.flatMap { new.text?.settingsEntry(ofApp: $0) }
        return AppChange(app: app, outcome: outcome, before: before, after: after, files: (self, new))
    }
}
