import Foundation
import InAppPurchase
import Ledger

/// Encodes condensed histories in their compact form and decodes them. Equal bytes of one history's name are equal
/// histories, so decoded ones are cached.
struct StandingsCodec: Sendable {
    /// The maximum number of cached histories: those of some thousand accounts; about 2 KB each.
    static let maximumCached = 8_192

    private struct Key: Hashable {
        var name: Data
        var standing: Data
    }

    private let handlers: [ProductType: any ProductHandler.Type]
    // Made once: each row of each request asks for one.
    private let versions: [ProductType: String]
    private let versionWithoutType = CondensedHistory.version(of: nil)
    private let cache = BoundedCache<Key, (id: HistoryID, history: CondensedHistory)>(limit: maximumCached)

    init(handlers: [any ProductHandler.Type]) {
        let byType = Dictionary(handlers.map { ($0.productType, $0) }) { first, _ in first }
        self.handlers = byType
        versions = byType.compactMapValues { CondensedHistory.version(of: $0) }
    }

    /// The version of the rule for the histories of a type; `nil` if the server has no handler of the type that
    /// condenses.
    func version(of type: ProductType?) -> String? {
        guard let type else { return versionWithoutType }
        return versions[type]
    }

    /// The key of a history's row.
    func name(of id: HistoryID) -> Data {
        var writer = CompactWriter()
        id.write(to: &writer)
        return writer.finishColumn()
    }

    func encode(_ history: CondensedHistory, of id: HistoryID) throws -> (name: Data, standing: Data) {
        var writer = CompactWriter()
        id.write(to: &writer)
        let name = writer.finishColumn()
        try history.write(to: &writer, JSON.encoder)
        let standing = writer.finishColumn()
        // Cached, because the account's next request reads it.
        _ = cache.value(for: Key(name: name, standing: standing)) { (id, history) }
        return (name, standing)
    }

    /// - Parameter version: of the rule by which it was condensed.
    /// - Returns: `nil` if this server condenses otherwise.
    func decode(name: Data, standing: Data, version: String) -> (id: HistoryID, history: CondensedHistory)? {
        let decoded = try? cache.value(for: Key(name: name, standing: standing)) {
            var reader = CompactReader(name)
            let id = try HistoryID(from: &reader)
            guard self.version(of: id.name.type) == version else { throw CompactError() }
            reader.resume(with: standing)
            let handler = id.name.type.flatMap { handlers[$0] }
            return (id, try CondensedHistory(from: &reader, of: id, by: handler, JSON.makeDecoder()))
        }
        return decoded.flatMap { self.version(of: $0.id.name.type) == version ? $0 : nil }
    }
}
