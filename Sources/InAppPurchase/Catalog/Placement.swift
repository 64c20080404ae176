package import Foundation

/// A place in an app that offers products, such as a shop: which products, in which order, and to whom.
package struct Placement: Sendable {
    /// The products that are offered to some of the clients.
    package struct Variant: Sendable {
        /// The products in the order of the offer, each once.
        package var products: [ProductID]
        /// The clients that are offered them, and when.
        package var condition: PlacementCondition
        /// Values for the app, such as text in several languages.
        package var metadata: [String: JSONValue]
    }

    /// The most variants of a placement: a request compares with each of them.
    package static let maximumVariants = 100

    /// The variants in the order of the file.
    package var variants: [Variant]

    /// The first variant for the client; `nil` if there is none.
    ///
    /// - Parameter bucket: the client's, in ``PlacementCondition/buckets``.
    package func variant(for client: Availability.Client, bucket: Int, at date: Date) -> Variant? {
        variants.first { $0.condition.includes(client, bucket: bucket, at: date) }
    }
}

extension Placement: Decodable {
    /// Reads a list of product IDs, which is for everybody, or a list of variants.
    ///
    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let products = try? container.decode([ProductID].self) {
            try products.requireUnique(at: decoder.codingPath)
            variants = [Variant(products: products, condition: PlacementCondition(), metadata: [:])]
            return
        }
        variants = try container.decode([Variant].self)
        guard variants.count <= Self.maximumVariants else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "more than \(Self.maximumVariants) variants")
        }
    }
}

extension Placement.Variant: Decodable {
    private enum CodingKeys: String, CodingKey {
        case products, metadata
        case condition = "when"
    }

    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        products = try entry.decode([ProductID].self, forKey: .products)
        try products.requireUnique(at: decoder.codingPath + [CodingKeys.products])
        condition = try entry.decodeIfPresent(PlacementCondition.self, forKey: .condition) ?? PlacementCondition()
        metadata = try entry.decodeIfPresent([String: JSONValue].self, forKey: .metadata) ?? [:]
    }
}

extension [ProductID] {
    fileprivate func requireUnique(at path: [any CodingKey]) throws {
        var seen: Set<ProductID> = []
        for product in self where !seen.insert(product).inserted {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "\"\(product)\" occurs twice"))
        }
    }
}
