import Foundation
import InAppPurchase
import Ledger

/// Encodes condensed histories as JSON and decodes them. Equal texts of one handler are equal histories, so decoded ones
/// are cached.
struct StandingsCodec: Sendable {
    /// The maximum number of cached histories: those of some thousand accounts; about 2 KB each.
    static let maximumCached = 8_192

    private struct Key: Hashable {
        var type: ProductType?
        var json: String
    }

    private let handlers: [ProductType: any ProductHandler.Type]
    private let cache = BoundedCache<Key, CondensedHistory>(limit: maximumCached)

    init(handlers: [any ProductHandler.Type]) {
        self.handlers = Dictionary(handlers.map { ($0.productType, $0) }) { first, _ in first }
    }

    /// The version of the rule for the histories of a type; `nil` if the server has no handler of the type that
    /// condenses.
    func version(of type: ProductType?) -> String? {
        guard let type else { return CondensedHistory.version(of: nil) }
        return handlers[type].flatMap { CondensedHistory.version(of: $0) }
    }

    func encode(_ history: CondensedHistory, of type: ProductType?) throws -> String {
        let json = try JSON.encode(history)
        // Cached, because the account's next request reads it.
        _ = cache.value(for: Key(type: type, json: json)) { history }
        return json
    }

    /// - Returns: `nil` if the handler cannot read it.
    func decode(_ json: String, of type: ProductType?) -> CondensedHistory? {
        try? cache.value(for: Key(type: type, json: json)) {
            try JSON.decode(CondensedHistory.self, from: json, configuration: type.flatMap { handlers[$0] })
        }
    }
}
