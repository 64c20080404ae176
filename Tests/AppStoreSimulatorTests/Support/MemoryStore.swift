import Foundation
import InAppPurchase

/// The key/value store in memory: durable as long as it lives.
actor MemoryStore: KeyValueStore {
    private var values: [String: Data]

    init(_ values: [String: Data] = [:]) { self.values = values }

    var content: [String: Data] { values }

    func value(forKey key: String) -> Data? { values[key] }

    func values(withPrefix prefix: String) -> [String: Data] { values.filter { $0.key.hasPrefix(prefix) } }

    func establish(_ value: Data, forKey key: String) -> Data {
        let standing = values[key] ?? value
        values[key] = standing
        return standing
    }

    func set(_ values: [String: Data]) { self.values.merge(values) { $1 } }
}
