import Content
import Crypto
import Foundation
import InAppPurchase
import Logging
import ServiceLifecycle
import Synchronization

/// The grant keys that are in force, loaded again often enough that a replica knows a new key before it signs.
final class GrantKeyring: Service {
    static let reloadInterval = Duration.seconds(120)

    private let store: any KeyValueStore
    private let random: RandomBytes
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let current: Mutex<GrantSigner>

    /// - Throws: what the store throws.
    init(
        _ store: any KeyValueStore, random: @escaping RandomBytes, clock: @escaping @Sendable () -> Date, logger: Logger
    ) async throws {
        (self.store, self.random, self.clock, self.logger) = (store, random, clock, logger)
        current = Mutex(GrantSigner(keys: try await Self.load(store, random, at: clock())))
    }

    var signer: GrantSigner { current.withLock { $0 } }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await Task.sleep(for: Self.reloadInterval)
                do {
                    let signer = GrantSigner(keys: try await Self.load(store, random, at: clock()))
                    current.withLock { $0 = signer }
                } catch {
                    logger.error("grant keys could not be loaded", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    private static func load(
        _ store: any KeyValueStore, _ random: @escaping RandomBytes, at date: Date
    ) async throws -> GrantKeys {
        try await GrantKeys.load(from: store, at: date) { SymmetricKey(data: random(32)) }
    }
}
