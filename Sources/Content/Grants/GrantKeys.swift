package import Basics
package import Crypto
package import Foundation
import InAppPurchase

/// The keys that grants are signed with, shared by all replicas.
///
/// Each key has a number. A new one is made a while before it signs, so that every replica that loads the keys in the
/// meantime can already verify its grants; grants of the previous key stay valid.
package struct GrantKeys: Sendable {
    /// The age at which a key is rotated.
    package static let rotationAge: TimeInterval = 30 * 86_400
    /// The age at which a new key begins to sign. Load the keys at least twice in this time.
    package static let settlingTime: TimeInterval = 10 * 60
    /// The length of a secret in bytes, that of the hash; RFC 2104 §3 discourages shorter keys.
    static let secretBytes = 32

    private static let stored = RotatingKeys<SymmetricKey>(prefix: "grants/keys/", rotationAge: { _ in rotationAge }) {
        bytes in
        bytes.count == secretBytes ? SymmetricKey(data: bytes) : nil
    } write: { secret in
        secret.withUnsafeBytes { Data($0) }
    }

    let newest: GrantKey
    let previous: GrantKey?

    /// Loads the keys, and makes the first one, or the next one if the newest is older than ``rotationAge``.
    ///
    /// If several replicas make one at the same time, all get the same.
    ///
    /// - Parameter makeSecret: 32 random bytes; called only if a key is made.
    /// - Throws: `StoredKeyError` if a stored value is not a key, and what the key-value store throws.
    package static func load(
        from store: some KeyValueStore, at date: Date, makeSecret: @Sendable () -> SymmetricKey
    ) async throws -> GrantKeys {
        var keys = try await stored.load(from: store, at: date, makeSecret: makeSecret)
        guard let newest = keys.popLast() else { throw StoredKeyError.unreadable("grants/keys/") }
        return GrantKeys(newest: newest, previous: keys.last)
    }

    /// The key to sign with: the newest, or the previous one while the newest may not have reached every replica.
    func signing(at date: Date) -> GrantKey {
        guard let previous, date.timeIntervalSince(newest.created) < Self.settlingTime else { return newest }
        return previous
    }

    /// The key with this number; `nil` if it is neither the newest nor the previous one.
    func key(number: Int) -> GrantKey? {
        number == newest.number ? newest : previous?.number == number ? previous : nil
    }
}
