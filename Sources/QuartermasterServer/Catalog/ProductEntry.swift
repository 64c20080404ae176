import Foundation
import InAppPurchase

/// One entry of `products.json` as somebody hands it in, checked.
struct ProductEntry: Sendable {
    /// With all the metadata that a product list can sensibly carry to a phone.
    static let mostBytes = 64 << 10

    /// The JSON as it came, with the `id` at its front where it had none.
    let json: Data
    let product: Product

    /// - Parameters:
    ///   - text: the members of the entry, as they would stand in the file.
    ///   - id: what `id` must be, where the entry has one, and is, where it has none. Nil: the entry must have one.
    /// - Throws: ``CatalogRefusal/unreadableEntry(_:)``, ``CatalogRefusal/invalidProduct(_:)`` with the path to the
    ///   mistake from the entry on.
    init(_ text: Data, id: ProductID?, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws {
        let scanner = try Self.scanner(of: text)
        let names = try Self.names(in: scanner)
        json = id.map { names.contains("id") ? Data(scanner.bytes) : Self.naming($0, scanner) } ?? Data(scanner.bytes)
        do {
            product = try JSONDecoder().decode(Product.self, from: json, configuration: handlers)
        } catch let error as DecodingError {
            throw CatalogRefusal.invalidProduct(error.explanation)
        }
        if let id, product.id != id { throw CatalogRefusal.invalidProduct("id: should be \"\(id)\"") }
        for (number, bundle) in product.bundles.enumerated() where !bundles.contains(bundle) {
            throw CatalogRefusal.invalidProduct("bundles[\(number)]: there is no bundle \"\(bundle)\"")
        }
    }

    /// Demands JSON that every reader of the file reads, of which Foundation takes more: UTF-16, say, or, under a name
    /// that stands twice, anything.
    private static func scanner(of text: Data) throws -> JSONScanner {
        let byteOrderMark = "\u{FEFF}"
        guard let plain = String(validating: text, as: UTF8.self) else {
            throw CatalogRefusal.unreadableEntry("not UTF-8")
        }
        let scanner = JSONScanner(bytes: Array((plain.hasPrefix(byteOrderMark) ? plain.dropFirst() : plain[...]).utf8))
        let scalars = scanner.tokens(in: scanner.bytes.indices).map(scanner.text)
            .filter { $0.count > 1 || $0.first?.isJSONLiteral == true }
        let isReadable =
            isJSON(Data(scanner.bytes))
            && isJSON(Data([.openBracket] + scalars.joined(separator: [.comma]) + [.closeBracket]))
        guard isReadable else { throw CatalogRefusal.unreadableEntry("not JSON") }
        return scanner
    }

    private static func isJSON(_ text: Data) -> Bool { (try? JSONDecoder().decode(JSONValue.self, from: text)) != nil }

    private static func names(in scanner: JSONScanner) throws -> [String] {
        guard let object = scanner.value(at: 0), scanner[object.lowerBound] == .openBrace,
            let parts = scanner.parts(of: object)
        else { throw CatalogRefusal.invalidProduct("should be an object") }
        let names = stride(from: 0, to: parts.count, by: 2).compactMap { scanner.string(parts[$0]) }
        for (place, name) in names.enumerated() where names[..<place].contains(name) {
            throw CatalogRefusal.invalidProduct("\(name): stands twice")
        }
        return names
    }

    private static func naming(_ id: ProductID, _ scanner: JSONScanner) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let name = Array((try? encoder.encode(["id": id])) ?? Data())
        let rest = scanner.bytes.drop { $0 != .openBrace }.dropFirst()
        let isEmpty = rest.first { !$0.isJSONSpace } == .closeBrace
        return Data(name.dropLast() + (isEmpty ? [] : [.comma]) + rest)
    }
}
