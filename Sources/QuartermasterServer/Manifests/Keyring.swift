import Foundation
import InAppPurchase
import Logging
import ServiceLifecycle
import Synchronization

/// The current keys, reloaded often enough that a replica knows a new key before another one signs with it.
final class Keyring<Keys: Sendable>: PeriodicService {
    static var interval: Duration { .seconds(120) }

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

    func runOnce() async {
        do {
            let keys = try await load()
            current.withLock { $0 = keys }
        } catch {
            logger.error("\(name) keys could not be loaded", metadata: ["error": "\(error)"])
        }
    }
}
