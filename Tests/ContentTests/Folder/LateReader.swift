import Basics
import Foundation
import InAppPurchase
import TestSupport

/// The store as seen by a replica that lists the values just before the others write.
struct LateReader: KeyValueStore {
    let store: MemoryKeyValueStore
    let seen: [String: Data]

    func value(forKey key: String) -> Data? { seen[key] }

    func values(withPrefix prefix: String) -> [String: Data] { seen.filter { $0.key.hasPrefix(prefix) } }

    func establish(_ value: Data, forKey key: String) async -> Data { await store.establish(value, forKey: key) }

    func set(_ values: [String: Data]) async { await store.set(values) }

    func removeValues(forKeys keys: [String]) async { await store.removeValues(forKeys: keys) }
}
