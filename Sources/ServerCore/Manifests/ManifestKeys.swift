import Basics
import Crypto
import Foundation

/// The keys that manifests are signed with, shared by all replicas.
///
/// Each has a number. A new key is created, and listed in `GET /v1/keys`, a while before it signs; earlier keys stay
/// listed for ever, since their signatures stay valid.
package struct ManifestKeys: Sendable {
    /// In seconds, the age at which a key gets a successor.
    static let rotationAge: TimeInterval = 365 * 86_400
    /// In seconds, the age at which a successor begins to sign: a client that fetches the keys once a day knows it by
    /// then.
    static let settlingTime: TimeInterval = 86_400

    private static let stored = RotatingKeys<Curve25519.Signing.PrivateKey>(
        prefix: "manifests/keys/", rotationAge: rotationAge
    ) { bytes in
        try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    } write: { secret in
        secret.rawRepresentation
    }

    private let oldest: ManifestKey
    private let later: [ManifestKey]

    /// The keys, oldest first.
    var all: [ManifestKey] { [oldest] + later }

    /// Loads the keys, and creates the first one, or the next one if the newest is older than ``rotationAge``. Replicas
    /// that create one at the same time all get the same.
    ///
    /// - Parameter makeSecret: returns a random key; called only if one is created.
    /// - Throws: `StoredKeyError` if a stored value is no key, and what the key-value store throws.
    static func load(
        from store: some KeyValueStore, at date: Date, makeSecret: @Sendable () throws -> Curve25519.Signing.PrivateKey
    ) async throws -> ManifestKeys {
        let keys = try await stored.load(from: store, at: date, makeSecret: makeSecret)
        guard let oldest = keys.first else { throw StoredKeyError.unreadable("manifests/keys/") }
        return ManifestKeys(oldest: oldest, later: Array(keys.dropFirst()))
    }

    /// The newest key that is older than ``settlingTime``; the first key of all signs at once.
    func signing(at date: Date) -> ManifestKey {
        later.last { date.timeIntervalSince($0.created) >= Self.settlingTime } ?? oldest
    }
}
