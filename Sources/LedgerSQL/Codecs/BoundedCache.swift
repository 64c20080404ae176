import Synchronization

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
