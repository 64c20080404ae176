import CoreMetrics
import Synchronization

/// Counters by key, each created once, so that its labels are not built and looked up for each event.
final class CounterCache<Key: Hashable & Sendable>: Sendable {
    /// The maximum number of counters that are held: more than a server has label values. Further ones are created each
    /// time.
    private let limit = 1_024
    private let counters = Mutex<[Key: Counter]>([:])

    func counter(_ key: Key, make: () -> Counter) -> Counter {
        if let known = counters.withLock({ $0[key] }) { return known }
        let counter = make()
        counters.withLock { if $0.count < limit { $0[key] = counter } }
        return counter
    }
}
