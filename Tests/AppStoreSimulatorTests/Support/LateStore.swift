import Basics
import Foundation
import InAppPurchase
import TestSupport

/// A store in which the writes of others always arrive just after they were looked for.
struct LateStore: KeyValueStore {
    var base: MemoryKeyValueStore

    func value(forKey key: String) async -> Data? { nil }

    func values(withPrefix prefix: String) async -> [String: Data] { await base.values(withPrefix: prefix) }

    func establish(_ value: Data, forKey key: String) async -> Data { await base.establish(value, forKey: key) }

    func set(_ values: [String: Data]) async { await base.set(values) }

    func removeValues(forKeys keys: [String]) async { await base.removeValues(forKeys: keys) }
}
