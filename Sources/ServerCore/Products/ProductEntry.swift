package import Foundation
package import InAppPurchase
import ServerHTTP
package import StrictJSON

/// One entry of the catalog as a client or a command submits it, checked.
package struct ProductEntry: Sendable {
    /// The maximum size of an entry, with all the metadata that a product list can sensibly carry to a phone.
    package static let maximumBytes = 64 << 10
    /// An entry has some twenty members; the rest is metadata.
    package static let limits = JSONLimits(maximumMembers: 8_000)

    /// The JSON as submitted, with `id` added at its front if it had none.
    package let json: Data
    package let product: Product

    /// - Parameters:
    ///   - text: the members of the entry, as in the file.
    ///   - id: the ID that the entry must have, and gets if it has none; `nil` if the entry must have one.
    /// - Throws: ``CatalogRefusal/unreadableEntry(_:)``, ``CatalogRefusal/invalidProduct(_:)`` with the path to the
    ///   error in the entry.
    package init(_ text: Data, id: ProductID?, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws {
        let scanned = try Self.scan(text) { .invalidProduct($0) }
        let isNamed = scanned.root["id"] != nil
        let plain = try id.map { isNamed ? scanned : try Self.naming($0, scanned) } ?? scanned
        json = plain.bytes
        do {
            product = try plain.decode(Product.self, configuration: handlers)
        } catch let error as DecodingError {
            throw CatalogRefusal.invalidProduct(error.explanation)
        }
        if let id, product.id != id { throw CatalogRefusal.invalidProduct("id: should be \"\(id)\"") }
        for (number, bundle) in product.bundles.enumerated() where !bundles.contains(bundle) {
            throw CatalogRefusal.invalidProduct("bundles[\(number)]: there is no bundle \"\(bundle)\"")
        }
    }

    /// Scans JSON that every reader of the file reads alike.
    ///
    /// - Parameter refusal: the refusal of JSON that is no entry.
    /// - Throws: ``CatalogRefusal``
    static func scan(_ text: Data, _ refusal: (String) -> CatalogRefusal) throws -> StrictJSON {
        let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
        let plain = text.starts(with: byteOrderMark) ? text.dropFirst(byteOrderMark.count) : text
        do {
            let json = try StrictJSON(plain, limits)
            guard json.root.kind == .object else { throw refusal("should be an object") }
            return json
        } catch let error as JSONError {
            guard error.kind == .repeatedName else { throw CatalogRefusal.unreadableEntry(error.description) }
            throw refusal(error.description)
        }
    }

    /// The entry with its ID added at the front.
    private static func naming(_ id: ProductID, _ json: StrictJSON) throws -> StrictJSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let name = (try? encoder.encode(["id": id])) ?? Data()
        let rest = json.bytes.drop { $0 != .openBrace }.dropFirst()
        let isEmpty = json.root.members.isEmpty
        return try scan(name.dropLast() + (isEmpty ? [] : [.comma]) + rest) { .invalidProduct($0) }
    }
}
