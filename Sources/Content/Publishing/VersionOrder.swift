import InAppPurchase

/// Checks which version numbers may follow the existing ones.
enum VersionOrder {
    /// - Parameters:
    ///   - others: all that were ever published, in any order.
    ///   - isPatch: whether it may be below others, as the highest of those with its first two numbers.
    static func check(
        _ version: SemanticVersion, after others: [SemanticVersion], isPatch: Bool
    ) throws(PublishRefusal) {
        guard let newest = others.max(), version <= newest else { return }
        guard isPatch else { throw .notNewer(than: newest) }
        let line = others.filter { ($0.major, $0.minor) == (version.major, version.minor) }
        guard let highest = line.max(), version > highest else { throw .noPatch }
    }
}
