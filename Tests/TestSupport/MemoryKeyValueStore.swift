import Basics
package import Foundation
import InAppPurchase

/// Keeps its values for as long as the test runs.
package actor MemoryKeyValueStore: KeyValueStore {
    package private(set) var values: [String: Data]

    package init(_ values: [String: Data] = [:]) { self.values = values }

    package func value(forKey key: String) -> Data? { values[key] }

    package func values(withPrefix prefix: String) -> [String: Data] { values.filter { $0.key.hasPrefix(prefix) } }

    package func establish(_ value: Data, forKey key: String) -> Data {
        let standing = values[key] ?? value
        values[key] = standing
        return standing
    }

    package func set(_ values: [String: Data]) { self.values.merge(values) { _, new in new } }

    package func removeValues(forKeys keys: [String]) { for key in keys { values[key] = nil } }
}
