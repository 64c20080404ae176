import ArgumentParser
import Foundation
import InAppPurchase
import NIOHTTP1
import ServerCore
import ServerHTTP
import StrictJSON

extension RemoteServer {
    /// The catalog that the server serves: the entries as they are written, and its revision.
    ///
    /// - Throws: ``/ServerCore/CommandError``, also if it changes meanwhile.
    func catalog(_ handlers: [any ProductHandler.Type]) async throws -> CatalogFile {
        let list: AppListBody = try await decoded(.get("apps"))
        var entries: [Data] = []
        for app in list.apps { entries.append(try await entry(of: app.bundleID, at: list.revision)) }
        let bytes = Data("{\"apps\": [".utf8) + Data(entries.joined(separator: Data(", ".utf8))) + Data("]}".utf8)
        do {
            return try CatalogFile(bytes, bundles: nil, handlers: handlers).of(list.revision)
        } catch let error as CatalogError {
            throw CommandError("\(address): this version cannot read the catalog: \(error)")
        }
    }

    /// The entry of an app with its products.
    private func entry(of app: BundleID, at revision: String) async throws -> Data {
        let settings = try await ask(.get("apps", app.text))
        let products = try await ask(.get("apps", app.text, "products"))
        guard settings.revision == revision, products.revision == revision,
            let list = try? StrictJSON(products.body, CatalogFile.limits, tolerance: .known).root["products"]
        else { throw CommandError("\(address): the catalog has just changed; try again") }
        return settings.body.dropLast() + Data(", \"products\": ".utf8) + list.text + Data("}".utf8)
    }

    /// Makes an edit of the catalog if nobody else has made one meanwhile.
    ///
    /// - Parameter isDryRun: whether the server only checks it.
    /// - Returns: the change, and the catalog's revision after it.
    /// - Throws: ``/ServerCore/CatalogRefusal``, and ``/ServerCore/CommandError`` with what the server says.
    func apply<Edit: CatalogOperation>(
        _ edit: Edit, reason: String?, isDryRun: Bool, _ handlers: [any ProductHandler.Type]
    ) async throws -> (change: Edit.Change, revision: String) {
        let file = try await catalog(handlers)
        let change = try edit.change(of: file, bundles: await bundleNames(besides: file), handlers: handlers)
        var question = RemoteQuestion(
            method: change.after == nil ? .DELETE : .PUT, path: ["apps", change.app.text],
            query: ["reason": reason, "dryRun": isDryRun ? "true" : nil], body: change.after,
            headers: ["If-Match": "\"\(file.revision)\""])
        if let product = change.changedProduct { question.path += ["products", product.text] }
        return (change, try await ask(question).revision)
    }

    /// The bundles of the server; with a token for some apps, which must not list them, those that the catalog names.
    private func bundleNames(besides file: CatalogFile) async -> [BundleName] {
        let listed = try? await bundles().map(\.bundle)
        return Array(Set((listed ?? []) + file.catalog.namedBundles))
    }
}

extension Catalog {
    fileprivate var namedBundles: [BundleName] { apps.flatMap { $0.openBundles + $0.products.flatMap(\.bundles) } }
}
