import Synchronization

/// Values that cost much to make and follow from their key alone. Empties itself when it is full.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    /// The value that is known, or the one that `make` gives. What it throws is not kept.
    func value<Failure: Error>(for key: Key, make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let value = try make()
        values.withLock {
            if $0.count >= limit { $0.removeAll() }
            $0[key] = value
        }
        return value
    }
}
