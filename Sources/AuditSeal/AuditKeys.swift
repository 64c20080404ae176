package import Basics
package import Crypto
package import Foundation
import InAppPurchase

/// The keys of checkpoints, shared by all replicas. The newest one signs; earlier ones still verify what they signed.
package struct AuditKeys: Sendable {
    private static let prefix = "audit/keys/"

    private struct Stored: Codable {
        /// Milliseconds since 1970.
        var created: Int
        var secret: Data
    }

    /// The key that signs.
    package let newest: AuditKey
    /// The keys that ever signed, oldest first.
    package let verifying: [AuditVerifyingKey]

    /// Loads the keys, and makes the first one if there is none. If several replicas start together, all get the same.
    ///
    /// - Parameter makeSecret: a random key; called only if one is made.
    /// - Throws: ``AuditKeyError`` if a stored value is not a key, and what the key-value store throws.
    package static func load(
        from store: some KeyValueStore, at date: Date,
        makeSecret: @Sendable () throws -> Curve25519.Signing.PrivateKey
    ) async throws -> AuditKeys {
        let known = try await stored(in: store)
        if let newest = known.last { return AuditKeys(newest: newest, verifying: known.map(\.verifying)) }
        let secret = try makeSecret().rawRepresentation
        let value = try JSONEncoder().encode(Stored(created: date.milliseconds, secret: secret))
        let key = try key(stored: try await store.establish(value, forKey: prefix + "1"), as: prefix + "1")
        return AuditKeys(newest: key, verifying: [key.verifying])
    }

    /// The keys that verify checkpoints; empty if none are stored. Makes none.
    ///
    /// - Throws: ``AuditKeyError``, and what the key-value store throws.
    package static func verifying(in store: some KeyValueStore) async throws -> [AuditVerifyingKey] {
        try await stored(in: store).map(\.verifying)
    }

    private static func stored(in store: some KeyValueStore) async throws -> [AuditKey] {
        try await store.values(withPrefix: prefix)
            .sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }
            .map { try key(stored: $0.value, as: $0.key) }
    }

    private static func key(stored value: Data, as name: String) throws -> AuditKey {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: value),
            let secret = try? Curve25519.Signing.PrivateKey(rawRepresentation: stored.secret)
        else { throw AuditKeyError(name: name) }
        return AuditKey(secret)
    }
}
