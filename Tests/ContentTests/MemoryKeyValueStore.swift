import Foundation
import InAppPurchase

/// Keeps its values for as long as the test runs.
actor MemoryKeyValueStore: KeyValueStore {
    private(set) var values: [String: Data]

    init(_ values: [String: Data] = [:]) { self.values = values }

    func value(forKey key: String) -> Data? { values[key] }

    func values(withPrefix prefix: String) -> [String: Data] { values.filter { $0.key.hasPrefix(prefix) } }

    func establish(_ value: Data, forKey key: String) -> Data {
        let standing = values[key] ?? value
        values[key] = standing
        return standing
    }

    func set(_ values: [String: Data]) { self.values.merge(values) { _, new in new } }
}

/// The store as a replica sees it that lists the values just before the others write.
struct LateReader: KeyValueStore {
    let store: MemoryKeyValueStore
    let seen: [String: Data]

    func value(forKey key: String) -> Data? { seen[key] }

    func values(withPrefix prefix: String) -> [String: Data] { seen.filter { $0.key.hasPrefix(prefix) } }

    func establish(_ value: Data, forKey key: String) async -> Data { await store.establish(value, forKey: key) }

    func set(_ values: [String: Data]) async { await store.set(values) }
}
