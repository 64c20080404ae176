import Basics
import Crypto
import Foundation
import Logging

/// The keys that manifests are signed with.
typealias ManifestKeyring = Keyring<ManifestKeys>

extension Keyring where Keys == ManifestKeys {
    /// - Throws: `StoredKeyError`, and what the key-value store throws.
    convenience init(
        _ store: any KeyValueStore, random: @escaping RandomBytes, clock: @escaping @Sendable () -> Date, logger: Logger
    ) async throws {
        try await self.init("manifest", logger: logger) {
            try await ManifestKeys.load(from: store, at: clock()) {
                try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
            }
        }
    }
}
