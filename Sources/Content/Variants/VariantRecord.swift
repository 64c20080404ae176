/// What is known of one file's variants.
struct VariantRecord: Hashable, Codable, Sendable {
    /// In the order they were made in.
    private(set) var variants: [ContentVariant] = []
    /// What was tried, and came to too little.
    private(set) var declined: Set<VariantWay> = []

    /// Whether it was tried before.
    func contains(_ way: VariantWay) -> Bool {
        if declined.contains(way) { return true }
        switch way {
        case .gzip: return variants.contains { $0.encoding == .gzip }
        case .zstd: return variants.contains { $0.encoding == .zstd }
        case .patch(let base): return variants.contains { $0.encoding == .patch && $0.from == base }
        }
    }

    /// - Parameter made: none where it came to too little.
    mutating func add(_ made: [ContentVariant], by way: VariantWay) {
        variants += made
        if made.isEmpty { declined.insert(way) }
    }

    /// Takes out what is not there any more, so that it is made again.
    mutating func retain(where isThere: (ContentVariant) -> Bool) { variants.removeAll { !isThere($0) } }
}
