package import Foundation
package import InAppPurchase
import ServerHTTP
import StrictJSON

extension CatalogFile {
    /// The file with the edit applied, decoded and checked as a whole. Nothing is written.
    ///
    /// - Throws: ``CatalogRefusal``
    func applying(
        _ edit: CatalogEdit, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) throws -> CatalogChange {
        guard let app = catalog.apps.firstIndex(where: { $0.bundleID == edit.app }) else {
            throw CatalogRefusal.unknownApp
        }
        switch edit.act {
        case .put(let json):
            if let product = edit.product { try require(edit.condition(index(of: product, in: app) != nil, revision)) }
            let entry = try ProductEntry(json, id: edit.product, bundles: bundles, handlers: handlers)
            let product = entry.product.id
            if edit.product == nil { try require(edit.condition(index(of: product, in: app) != nil, revision)) }
            return try putting(entry, in: app, bundles: bundles, handlers: handlers)
        case .set(let members):
            let (product, index) = try existing(edit, in: app)
            var entry = try EntryMembers(editableText.entry(index) ?? Data())
            for member in members { entry.set(member.name, to: member.value) }
            let new = try ProductEntry(entry.json, id: product, bundles: bundles, handlers: handlers)
            return try putting(new, in: app, bundles: bundles, handlers: handlers)
        case .remove:
            let (product, index) = try existing(edit, in: app)
            let text = try editableText
            let new = try Self.edited(text.removing(index), bundles, handlers) { .invalidProduct($0) }
            return try change(product, in: app, .removed, before: text.entry(index), to: new)
        }
    }

    /// The product of an edit that needs one.
    private func existing(_ edit: CatalogEdit, in app: Int) throws -> (ProductID, CatalogText.EntryIndex) {
        guard let product = edit.product, let index = index(of: product, in: app) else {
            throw CatalogRefusal.unknownProduct
        }
        try require(edit.condition(true, revision))
        return (product, index)
    }

    private func putting(
        _ entry: ProductEntry, in app: Int, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) throws -> CatalogChange {
        let (product, text) = (entry.product.id, try editableText)
        guard let index = index(of: product, in: app) else {
            let new = try Self.edited(text.adding(entry.json, toApp: app), bundles, handlers) { .invalidProduct($0) }
            return try change(product, in: app, .added, before: nil, to: new)
        }
        let before = text.entry(index)
        guard before?.plainJSON != entry.json.plainJSON else {
            return try change(product, in: app, .unchanged, before: before, to: self)
        }
        let new = try Self.edited(text.replacing(index, with: entry.json), bundles, handlers) { .invalidProduct($0) }
        return try change(product, in: app, .changed, before: before, to: new)
    }

    /// - Throws: ``CatalogRefusal/preconditionFailed(revision:)`` if the condition of an edit does not hold.
    package func require(_ condition: Bool) throws {
        guard condition else { throw CatalogRefusal.preconditionFailed(revision: revision) }
    }

    /// - Throws: ``CatalogRefusal/invalidCatalog(_:)`` for text in another encoding than UTF-8.
    var editableText: CatalogText {
        get throws {
            guard let text else { throw CatalogRefusal.invalidCatalog("the file is not in UTF-8") }
            return text
        }
    }

    /// The catalog of an edited text.
    ///
    /// - Parameter refusal: the refusal if the new entry makes the whole catalog invalid.
    static func edited(
        _ text: Data?, _ bundles: [BundleName], _ handlers: [any ProductHandler.Type],
        _ refusal: (String) -> CatalogRefusal
    ) throws -> CatalogFile {
        guard let text else { throw CatalogRefusal.notFoundInText }
        guard text.count <= maximumBytes else {
            throw refusal("with it the file is larger than \(maximumBytes) bytes")
        }
        do {
            return try CatalogFile(text, bundles: bundles, handlers: handlers)
        } catch let error as CatalogError {
            throw refusal("with it the file is refused: \(error)")
        }
    }

    /// - Throws: ``CatalogRefusal/invalidCatalog(_:)`` if the new text has other products than the edit means: then the
    ///   position of the entry was misunderstood, and nothing must be written.
    private func change(
        _ product: ProductID, in app: Int, _ outcome: CatalogChange.Outcome, before: Data?, to new: CatalogFile
    ) throws -> CatalogChange {
        var expected = catalog.apps.map { $0.products.map(\.id) }
        if outcome == .added { expected[app].append(product) }
        if outcome == .removed { expected[app].removeAll { $0 == product } }
        guard new.catalog.apps.map({ $0.products.map(\.id) }) == expected else { throw CatalogRefusal.notFoundInText }
        let after = new.index(of: product, in: app).flatMap { new.text?.entry($0) }
        return CatalogChange(
            app: catalog.apps[app].bundleID, product: product, outcome: outcome, before: before, after: after,
            files: (self, new))
    }

    package func index(of product: ProductID, in app: Int) -> CatalogText.EntryIndex? {
        guard catalog.apps.indices.contains(app) else { return nil }
        return catalog.apps[app].products.firstIndex { $0.id == product }
            .map { CatalogText.EntryIndex(app: app, product: $0) }
    }
}

extension Data {
    /// The same JSON on one line, with each string and number as it is written; text that is no JSON is returned
    /// unchanged.
    package var plainJSON: Data {
        let json = try? StrictJSON(self, CatalogFile.limits, tolerance: .known)
        return json.map { Data(JSONStyle.plain.text(of: $0.root)) } ?? self
    }
}
