import Crypto
import Foundation
import InAppPurchase
import StrictJSON
import Synchronization

/// Encodes terms as JSON under their SHA-256, and decodes them. Many purchases share the same terms.
struct TermsCodec: Sendable {
    /// The maximum number of cached terms: more than any catalog's products times their edits that are still in use.
    static let maximumCached = 4_096

    private let handlers: [any ProductHandler.Type]
    private let cache = BoundedCache<Data, Product>(limit: maximumCached)
    private let stored = StoredDigests(limit: maximumCached)
    /// The terms that each product was encoded with last: those of the catalog, sale after sale.
    private let encoded = EncodedTerms(limit: maximumCached)

    init(handlers: [any ProductHandler.Type]) { self.handlers = handlers }

    func encode(_ product: Product) throws -> (hash: Data, json: String) {
        try encoded.value(for: product) {
            // Equal terms must have equal hashes.
            let json = try JSONEncoder.canonical.encode(product)
            return (Data(SHA256.hash(data: json)), String(decoding: json, as: UTF8.self))
        }
    }

    /// Whether the ledger is known to have the terms with this hash. No version of this server deletes any.
    func areStored(_ hash: Data) -> Bool { stored.contains(hash) }

    /// Records that the ledger has the terms with these hashes, when the write that stored them is committed.
    func setStored(_ hashes: Set<Data>) { stored.insert(hashes) }

    /// The terms; `nil` if no handler of this server can decode them.
    func decode(hash: Data, json: String) -> Product? {
        try? cache.value(for: hash) {
            let decoder = JSONDecoder()
            if let key = CodingUserInfoKey.isStoredTerms { decoder.userInfo[key] = true }
            return try decoder.decode(Product.self, from: Data(json.utf8), configuration: handlers)
        }
    }
}

/// The last terms of each product, as they are stored. Empties itself when it is full.
final class EncodedTerms: Sendable {
    typealias Encoded = (hash: Data, json: String)

    private let limit: Int
    private let values = Mutex<[ProductID: (product: Product, encoded: Encoded)]>([:])

    init(limit: Int) { self.limit = limit }

    /// The known form of the terms, or the one that `make` returns.
    func value(for product: Product, make: () throws -> Encoded) rethrows -> Encoded {
        if let known = values.withLock({ $0[product.id] }), known.product.hasTerms(of: product) { return known.encoded }
        let encoded = try make()
        values.withLock {
            if $0.count >= limit { $0.removeAll() }
            $0[product.id] = (product, encoded)
        }
        return encoded
    }
}

/// A cache of values that are expensive to make and depend on their key alone. Empties itself when it is full.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    /// The cached value, or the one that `make` returns. If `make` throws, nothing is cached.
    func value<Failure: Error>(for key: Key, make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let value = try make()
        values.withLock {
            if $0.count >= limit { $0.removeAll(keepingCapacity: true) }
            $0[key] = value
        }
        return value
    }
}
