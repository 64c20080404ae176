package import Foundation
package import InAppPurchase
import ServerHTTP
import StrictJSON

/// The settings of one app as a client or a command submits them, checked: its entry without the products.
package struct AppEntry: Sendable {
    /// A member of the entry, its value on one line.
    package struct Member: Sendable {
        var name: String
        var value: Data
    }

    /// Enough for the placements and open bundles of a large app.
    package static let maximumBytes = ProductEntry.maximumBytes

    static let productsRefusal = CatalogRefusal.invalidApp(
        "products: are not changed with the settings, but each by itself")

    /// The members besides the bundle ID, in the order in which they were submitted.
    package let members: [Member]
    /// The whole entry of an app without products.
    package let json: Data

    /// - Parameters:
    ///   - text: the settings, as in the file; the bundle ID may be left out.
    ///   - id: the bundle ID that the entry must have.
    /// - Throws: ``CatalogRefusal/unreadableEntry(_:)``, ``CatalogRefusal/invalidApp(_:)`` with the path to the
    ///   error.
    package init(_ text: Data, id: BundleID, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws {
        let root = try ProductEntry.scan(text) { .invalidApp($0) }.root
        guard root["products"] == nil else { throw Self.productsRefusal }
        if let named = root["bundleID"], named.string != id.text {
            throw CatalogRefusal.invalidApp("bundleID: should be \"\(id)\"")
        }
        members = root.members.compactMap { name, value in
            name.string.map { Member(name: $0, value: Data(JSONStyle.plain.text(of: value))) }
        }.filter { $0.name != "bundleID" }
        let named = [Member(name: "bundleID", value: id.text.jsonText)] + members
        json = Self.object(named + [Member(name: "products", value: Data("[]".utf8))])
        let app = try Self.decode(json, handlers)
        for (number, bundle) in app.openBundles.enumerated() where !bundles.contains(bundle) {
            throw CatalogRefusal.invalidApp("openBundles[\(number)]: there is no bundle \"\(bundle)\"")
        }
    }

    /// The values of the members by their names.
    package var settings: [String: Data] { Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first } }

    /// The members as an object on one line.
    package static func object(_ members: [Member]) -> Data {
        let texts = members.map { $0.name.jsonText + Data(": ".utf8) + $0.value }
        return Data("{".utf8) + Data(texts.joined(separator: Data(", ".utf8))) + Data("}".utf8)
    }

    private static func decode(_ json: Data, _ handlers: [any ProductHandler.Type]) throws -> App {
        do {
            return try ProductEntry.scan(json) { .invalidApp($0) }.decode(App.self, configuration: handlers)
        } catch let error as DecodingError {
            throw CatalogRefusal.invalidApp(error.explanation)
        }
    }
}
