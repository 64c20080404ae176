import InAppPurchase
import Logging
import ServerHTTP
import ServiceLifecycle

/// Reconciles with a store periodically.
struct ReconciliationWorker: PeriodicService {
    /// Soon after the start, which may be the end of an outage.
    static let firstInterval = Duration.seconds(30)
    static let interval = Duration.seconds(3_600)

    let store: any Store
    let logger: Logger

    func runOnce() async {
        do {
            _ = try await store.reconcile(since: nil)
        } catch is CancellationError {
            return
        } catch {
            logger.error("reconciliation with the store failed", metadata: ["error": "\(error)"])
        }
    }
}
