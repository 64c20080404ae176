import Basics
import Crypto
package import Foundation
package import InAppPurchase
import ServerHTTP
package import StrictJSON

/// A catalog as read at one moment, from `products.json` or the ledger.
package struct CatalogFile: Sendable {
    /// The maximum size of the file; a catalog of 100,000 products is smaller.
    package static let maximumBytes = 64 << 20
    /// A list of 10,000 products has over 80,000 members.
    package static let limits = JSONLimits(maximumMembers: 4_000_000)

    package let bytes: Data
    package let catalog: Catalog
    /// ``/InAppPurchase/Catalog/warnings`` of the catalog, which no page looks for in a large one.
    package let warnings: [BundleID: [CatalogError]]
    /// The beginning of the SHA-256 of the bytes, in hexadecimal; of a distant server's catalog that of its bytes.
    package private(set) var revision: String
    /// The number of the revision in the ledger; `nil` if the catalog is a file.
    package private(set) var number: Int?

    /// The text with the positions of the entries; `nil` if it is not UTF-8.
    package var text: CatalogText? { CatalogText(bytes) }

    /// Decodes the file and checks that its bundles are among the published ones.
    ///
    /// - Parameters:
    ///   - number: of a revision, which may be one that an earlier version accepted; `nil` for a new text.
    ///   - bundles: the published ones; `nil` if that is not checked.
    /// - Throws: ``CatalogError``.
    package init(_ bytes: Data, number: Int? = nil, bundles: [BundleName]?, handlers: [any ProductHandler.Type]) throws
    {
        catalog = try Self.decode(bytes, tolerance: number == nil ? .byteOrderMark : .known, handlers: handlers)
        self.bytes = bytes
        self.number = number
        revision = Self.revision(of: bytes)
        warnings = catalog.warnings
        if let bundles, let missing = catalog.missingBundles(among: bundles).first { throw missing.error }
    }

    /// An empty catalog in place of one that cannot be read: nothing is sold.
    package static let none = CatalogFile(catalog: Catalog(apps: []))

    private init(catalog: Catalog) {
        bytes = Data()
        revision = Self.revision(of: Data())
        warnings = [:]
        self.catalog = catalog
    }

    /// The same catalog with its revision number in the ledger.
    func numbered(_ number: Int) -> CatalogFile {
        var file = self
        file.number = number
        return file
    }

    /// The same catalog with the revision that a distant server names.
    package func of(_ revision: String) -> CatalogFile {
        var file = self
        file.revision = revision
        return file
    }

    /// - Throws: ``CatalogError``.
    package static func decode(
        _ bytes: Data, tolerance: JSONTolerance = .byteOrderMark, handlers: [any ProductHandler.Type]
    ) throws -> Catalog {
        let text = bytes.inUTF8
        do {
            return try StrictJSON(text, limits, tolerance: tolerance).decode(Catalog.self, configuration: handlers)
        } catch let error as JSONError {
            throw CatalogError(error.description)
        } catch let error as DecodingError {
            throw CatalogError(error.explanation)
        }
    }

    package static func revision(of bytes: Data) -> String { Data(SHA256.hash(data: bytes).prefix(8)).hex }

    /// - Throws: ``CatalogError`` if the file cannot be read, or is too large.
    package static func read(_ path: String) throws -> Data {
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: maximumBytes + 1) ?? Data()
            guard bytes.count <= maximumBytes else { throw CatalogError("larger than \(maximumBytes) bytes") }
            return bytes
        } catch let error as CatalogError {
            throw error
        } catch {
            throw CatalogError("cannot be read: \(error.localizedDescription)")
        }
    }
}

extension Data {
    /// The same text in UTF-8 if it is UTF-16, as some editors save it; otherwise unchanged.
    fileprivate var inUTF8: Data {
        let encoding: String.Encoding? =
            switch Array(prefix(2)) {
            case [0xFF, 0xFE], [0xFE, 0xFF]: .utf16
            case let pair where pair.count == 2 && pair[0] == 0 && pair[1] != 0: .utf16BigEndian
            case let pair where pair.count == 2 && pair[0] != 0 && pair[1] == 0: .utf16LittleEndian
            default: nil
            }
        return encoding.flatMap { String(data: self, encoding: $0) }.map { Data($0.utf8) } ?? self
    }
}

/// A error in the catalog, with its position.
package struct CatalogError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
