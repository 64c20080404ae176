package import Basics
package import Crypto
package import Foundation
import InAppPurchase

/// The keys of checkpoints, shared by all replicas. The newest one signs; earlier ones still verify what they signed.
package struct AuditKeys: Sendable {
    /// They are never rotated.
    private static let stored = RotatingKeys<Curve25519.Signing.PrivateKey>(
        prefix: "audit/keys/", rotationAge: { _ in nil }
    ) {
        bytes in
        try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    } write: { secret in
        secret.rawRepresentation
    }

    /// The key that signs.
    package let newest: AuditKey
    /// The keys that ever signed, oldest first.
    package let verifying: [AuditVerifyingKey]

    /// Loads the keys, and makes the first one if there is none. If several replicas start together, all get the same.
    ///
    /// - Parameter makeSecret: a random key; called only if one is made.
    /// - Throws: `StoredKeyError` if a stored value is not a key, and what the key-value store throws.
    package static func load(
        from store: some KeyValueStore, at date: Date, makeSecret: @Sendable () throws -> Curve25519.Signing.PrivateKey
    ) async throws -> AuditKeys {
        let keys = try await stored.load(from: store, at: date, makeSecret: makeSecret).map { AuditKey($0.secret) }
        guard let newest = keys.last else { throw StoredKeyError.unreadable("audit/keys/") }
        return AuditKeys(newest: newest, verifying: keys.map(\.verifying))
    }

    /// The keys that verify checkpoints; empty if none are stored. Makes none.
    ///
    /// - Throws: `StoredKeyError`, and what the key-value store throws.
    package static func verifying(in store: some KeyValueStore) async throws -> [AuditVerifyingKey] {
        try await stored.stored(in: store).map { AuditKey($0.secret).verifying }
    }
}
