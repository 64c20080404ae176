import Basics
import Foundation
import InAppPurchase
import Synchronization
import TestSupport

/// Counts the values that are read and written.
final class CountingStore: KeyValueStore {
    private let base: MemoryKeyValueStore
    private let values = Mutex(0)

    init(_ base: MemoryKeyValueStore) { self.base = base }

    var count: Int { values.withLock { $0 } }

    func value(forKey key: String) async -> Data? {
        values.withLock { $0 += 1 }
        return await base.value(forKey: key)
    }

    func values(withPrefix prefix: String) async -> [String: Data] {
        let found = await base.values(withPrefix: prefix)
        values.withLock { $0 += 1 + found.count }
        return found
    }

    func establish(_ value: Data, forKey key: String) async -> Data {
        values.withLock { $0 += 1 }
        return await base.establish(value, forKey: key)
    }

    func set(_ values: [String: Data]) async {
        self.values.withLock { $0 += values.count }
        await base.set(values)
    }

    func removeValues(forKeys keys: [String]) async {
        values.withLock { $0 += keys.count }
        await base.removeValues(forKeys: keys)
    }
}
