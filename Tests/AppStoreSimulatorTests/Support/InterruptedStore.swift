import Basics
import Foundation
import InAppPurchase
import Synchronization
import TestSupport

/// Lets something else happen once: just before a value whose key begins like this is read for the first time.
final class InterruptedStore: KeyValueStore {
    private let base: MemoryKeyValueStore
    private let prefix: String
    private let event: @Sendable () async throws -> Void
    private let hasHappened = Mutex(false)

    init(base: MemoryKeyValueStore, at prefix: String, _ event: @escaping @Sendable () async throws -> Void) {
        self.base = base
        self.prefix = prefix
        self.event = event
    }

    func value(forKey key: String) async throws -> Data? {
        if key.hasPrefix(prefix), isFirst() { try await event() }
        return await base.value(forKey: key)
    }

    private func isFirst() -> Bool {
        hasHappened.withLock { happened in
            defer { happened = true }
            return !happened
        }
    }

    func values(withPrefix prefix: String) async -> [String: Data] { await base.values(withPrefix: prefix) }

    func establish(_ value: Data, forKey key: String) async -> Data { await base.establish(value, forKey: key) }

    func set(_ values: [String: Data]) async { await base.set(values) }

    func removeValues(forKeys keys: [String]) async { await base.removeValues(forKeys: keys) }
}
