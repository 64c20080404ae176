public import Foundation
public import InAppPurchase

/// Keeps its values for as long as the test runs.
public actor MemoryKeyValueStore: KeyValueStore {
    public private(set) var values: [String: Data]

    public init(_ values: [String: Data] = [:]) { self.values = values }

    public func value(forKey key: String) -> Data? { values[key] }

    public func values(withPrefix prefix: String) -> [String: Data] { values.filter { $0.key.hasPrefix(prefix) } }

    public func establish(_ value: Data, forKey key: String) -> Data {
        let standing = values[key] ?? value
        values[key] = standing
        return standing
    }

    public func set(_ values: [String: Data]) { self.values.merge(values) { _, new in new } }
}
