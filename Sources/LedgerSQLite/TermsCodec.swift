import Crypto
import Foundation
import InAppPurchase
import Synchronization

/// Writes terms as JSON under their SHA-256 and reads them back. Many purchases share the same terms.
final class TermsCodec: Sendable {
    /// More than any catalog's products times their edits that are still asked for.
    static let mostCached = 4_096

    private let handlers: [any ProductHandler.Type]
    private let cache = Mutex<[Data: Product]>([:])

    init(handlers: [any ProductHandler.Type]) { self.handlers = handlers }

    func encode(_ product: Product) throws -> (hash: Data, json: String) {
        let encoder = JSONEncoder()
        // The same terms must give the same hash.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(product)
        return (Data(SHA256.hash(data: json)), String(decoding: json, as: UTF8.self))
    }

    /// The terms; nil where no handler of this server reads them any more.
    func decode(hash: Data, json: String) -> Product? {
        if let known = cache.withLock({ $0[hash] }) { return known }
        let decoder = JSONDecoder()
        guard let product = try? decoder.decode(Product.self, from: Data(json.utf8), configuration: handlers) else {
            return nil
        }
        cache.withLock {
            if $0.count >= Self.mostCached { $0.removeAll() }
            $0[hash] = product
        }
        return product
    }
}
