import InAppPurchase
package import Logging
import ServerHTTP
import ServiceLifecycle

/// Reconciles with a store periodically.
package struct ReconciliationWorker: Service {
    /// Soon after the start, which may be the end of an outage.
    static let firstInterval = Duration.seconds(30)
    package static let interval = Duration.seconds(3_600)
    /// While the store refuses a key: what was missed is then fetched soon after somebody has set the clock.
    static let refusedInterval = Duration.seconds(300)

    package let store: any Store
    package let logger: Logger

    package init(store: any Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await Task.sleep(for: Self.firstInterval)
            while true { try await Task.sleep(for: await runOnce()) }
        }
    }

    /// Reconciles once, and reports errors by itself.
    ///
    /// - Returns: the pause before the next time.
    func runOnce() async -> Duration {
        do {
            _ = try await store.reconcile(since: nil)
        } catch is CancellationError {
            return Self.interval
        } catch {
            logger.error("reconciliation with the store failed", metadata: ["error": "\(error)"])
        }
        return await store.condition(of: []).refusedKeys.isEmpty ? Self.interval : Self.refusedInterval
    }
}
