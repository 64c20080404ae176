import InAppPurchase
package import Logging
import ServerHTTP
import ServiceLifecycle

/// Reconciles with a store periodically.
package struct ReconciliationWorker: PeriodicService {
    /// Soon after the start, which may be the end of an outage.
    static let firstInterval = Duration.seconds(30)
    package static let interval = Duration.seconds(3_600)

    package let store: any Store
    package let logger: Logger

    package init(store: any Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    package func runOnce() async {
        do {
            _ = try await store.reconcile(since: nil)
        } catch is CancellationError {
            return
        } catch {
            logger.error("reconciliation with the store failed", metadata: ["error": "\(error)"])
        }
    }
}
