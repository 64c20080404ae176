import Foundation
import InAppPurchase
import Synchronization

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
