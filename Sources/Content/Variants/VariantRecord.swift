/// The stored record of one file's variants.
struct VariantRecord: Hashable, Codable, Sendable {
    /// The variants, in the order they were made.
    private(set) var variants: [ContentVariant] = []
    /// The ways that were tried and did not make the file small enough.
    private(set) var declined: Set<VariantWay> = []

    /// Whether the way was tried before.
    func contains(_ way: VariantWay) -> Bool {
        if declined.contains(way) { return true }
        switch way {
        case .gzip: return variants.contains { $0.encoding == .gzip }
        case .zstd: return variants.contains { $0.encoding == .zstd }
        case .patch(let base): return variants.contains { $0.encoding == .patch && $0.from == base }
        }
    }

    /// - Parameter made: empty if the result was not small enough.
    mutating func add(_ made: [ContentVariant], by way: VariantWay) {
        variants += made
        if made.isEmpty { declined.insert(way) }
    }

    /// Drops variants whose objects are missing, so that they are made again.
    mutating func retain(where isThere: (ContentVariant) -> Bool) { variants.removeAll { !isThere($0) } }
}
