import Content
import Foundation
import InAppPurchase
import ServerHTTP
import StrictJSON

/// The JSON of an app's product lists in pieces, one or two for each product. They are encoded once for each state of
/// catalog and content; a list joins the pieces of what is offered.
struct ProductTexts: Sendable {
    /// A part of ``bytes``.
    private typealias Piece = Range<Int>

    private struct ProductPieces: Sendable {
        let id: Piece
        /// The members before `contents`.
        let bundles: Piece
        /// The members after `contents`.
        let rest: Piece
        /// The indices of its bundles in ``contents``.
        let contents: [Int]
    }

    /// A version of a bundle that everybody may have, with its element of `contents`.
    private struct ContentPiece: Sendable {
        let manifest: Manifest
        let piece: Piece
    }

    private var bytes: [UInt8] = []
    private var products: [ProductPieces] = []
    /// The versions of each bundle, the lowest first.
    private var contents: [[ContentPiece]] = []
    /// The indices of the open bundles in ``contents``.
    private var openContents: [Int] = []
    /// The list's members between `contents` and `placement`.
    private var start: Piece = 0..<0
    /// The list's members after `products`.
    private var end: Piece = 0..<0

    /// - Parameters:
    ///   - revision: the revision of the catalog.
    ///   - records: the versions of the app's open bundles, and of those of its products.
    init(_ app: App, _ revision: String, _ records: [BundleName: [VersionRecord]]) throws {
        var indices: [BundleName: Int] = [:]
        for (bundle, versions) in records {
            indices[bundle] = contents.count
            // Only versions for everybody, since the lists are for everybody.
            let readable = VersionChoice(versions, for: VersionChoice.Reader()).readable
            contents.append(
                try readable.filter { $0.state == .published }.map { record in
                    ContentPiece(manifest: record.manifest, piece: try add(ContentBody(record)))
                })
        }
        openContents = app.openBundles.compactMap { indices[$0] }
        products.reserveCapacity(app.products.count)
        for product in app.products {
            products.append(
                ProductPieces(
                    id: try add(product.id), bundles: try addMembers(Bundles(bundles: product.bundles)),
                    rest: try addMembers(Rest(product)), contents: product.bundles.compactMap { indices[$0] }))
        }
        start = try addMembers(Start(app))
        end = try addMembers(End(app, revision))
    }

    /// The JSON of a list, byte for byte as ``ProductListBody`` is encoded.
    func list(_ offer: ProductOffer, appVersion: SemanticVersion?) throws -> [UInt8] {
        let placement = try offer.placement.map { name, metadata in
            try JSONCoding.bytes(of: Place(placement: PlacementBody(name: name, metadata: metadata)))
        }
        let offered = offer.indices.map { products[$0] }
        let newest = contents.map { versions in versions.last { $0.manifest.fits(appVersion) }?.piece }
        var json = JSONWriter(capacity: bytes.count + 2 * offered.reduce(0) { $0 + $1.id.count } + 256)
        json.object { json in
            append(contents: openContents, newest, to: &json)
            json.members(json: bytes[start])
            if let placement { json.members(json: Self.members(of: placement)) }
            json.name("productIDs")
            json.array { json in
                for product in offered { json.element(json: bytes[product.id]) }
            }
            json.name("products")
            json.array { json in
                for product in offered { append(product, newest, to: &json) }
            }
            json.members(json: bytes[end])
        }
        return json.bytes
    }

    private func append(_ product: ProductPieces, _ newest: [Piece?], to json: inout JSONWriter) {
        json.element()
        json.object { json in
            json.members(json: bytes[product.bundles])
            append(contents: product.contents, newest, to: &json)
            json.members(json: bytes[product.rest])
        }
    }

    private func append(contents indices: [Int], _ newest: [Piece?], to json: inout JSONWriter) {
        let contents = indices.compactMap { newest[$0] }
        guard !contents.isEmpty else { return }
        json.name("contents")
        json.array { json in
            for content in contents { json.element(json: bytes[content]) }
        }
    }

    private mutating func add(_ value: some Encodable) throws -> Piece { add(try JSONCoding.bytes(of: value)[...]) }

    private mutating func addMembers(_ value: some Encodable) throws -> Piece {
        add(Self.members(of: try JSONCoding.bytes(of: value)))
    }

    private mutating func add(_ text: ArraySlice<UInt8>) -> Piece {
        let start = bytes.count
        bytes += text
        return start..<bytes.count
    }

    /// The members of an object without the braces.
    private static func members(of object: [UInt8]) -> ArraySlice<UInt8> { object.dropFirst().dropLast() }
}

// MARK: The members that are encoded together: canonical JSON has them in the order of their names

private struct Start: Encodable {
    var legal: LegalLinks?
    var minimumAppVersion: String?
    var notice: String?
    var openBundles: [BundleName]?

    init(_ app: App) {
        legal = app.listing.legal
        minimumAppVersion = app.listing.minimumAppVersion
        notice = app.listing.notice
        openBundles = app.openBundles.isEmpty ? nil : app.openBundles
    }
}

private struct Place: Encodable { var placement: PlacementBody }

private struct End: Encodable {
    var revision: String
    var startingCredits: Credits?

    init(_ app: App, _ revision: String) {
        self.revision = revision
        startingCredits = app.startingCredits.isEmpty ? nil : app.startingCredits
    }
}

private struct Bundles: Encodable { var bundles: [BundleName] }

private struct Rest: Encodable {
    var group: String?
    var id: ProductID
    var level: Int?
    var metadata: [String: JSONValue]
    var name: [String: String]?
    var type: ProductType

    init(_ product: Product) {
        group = product.group
        id = product.id
        level = product.level
        metadata = product.metadata
        name = product.names.isEmpty ? nil : product.names
        type = product.type
    }
}
