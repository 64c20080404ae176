package import Basics
import Crypto
package import Foundation
import InAppPurchase
package import Logging
package import ServerHTTP
import ServiceLifecycle
import Synchronization

/// The current keys, reloaded often enough that a replica knows a new key before another one signs with it.
package final class Keyring<Keys: Sendable>: PeriodicService {
    package static var interval: Duration { .seconds(120) }

    private let name: String
    private let load: @Sendable () async throws -> Keys
    private let logger: Logger
    private let current: Mutex<Keys>

    /// - Parameter name: the keys' name in the log.
    /// - Throws: what `load` throws.
    init(_ name: String, logger: Logger, load: @escaping @Sendable () async throws -> Keys) async throws {
        self.name = name
        self.load = load
        self.logger = logger
        current = Mutex(try await load())
    }

    var keys: Keys { current.withLock { $0 } }

    package func runOnce() async {
        do {
            let keys = try await load()
            current.withLock { $0 = keys }
        } catch {
            logger.error("\(name) keys could not be loaded", metadata: ["error": "\(error)"])
        }
    }
}

/// The keys that manifests are signed with.
package typealias ManifestKeyring = Keyring<ManifestKeys>

extension Keyring where Keys == ManifestKeys {
    /// - Parameter days: how long a key signs before the next one does.
    /// - Throws: `StoredKeyError`, ``KeyListError``, and what the key-value store throws.
    package convenience init(
        _ store: any KeyValueStore, every days: Int, random: @escaping RandomBytes,
        clock: @escaping @Sendable () -> Date, logger: Logger
    ) async throws {
        try await self.init("manifest", logger: logger) {
            try await ManifestKeys.load(from: store, every: days, at: clock()) {
                try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
            }
        }
    }
}
