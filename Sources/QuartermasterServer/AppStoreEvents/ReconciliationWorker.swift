import InAppPurchase
import Logging
import ServiceLifecycle

/// Reconciles with the App Store periodically.
struct ReconciliationWorker: Service {
    /// Soon after the start, which may be the end of an outage.
    static let firstAfter = Duration.seconds(30)
    static let interval = Duration.seconds(3_600)

    let reconciler: Reconciler
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await Task.sleep(for: Self.firstAfter)
            while true {
                do {
                    _ = try await reconciler.reconcile()
                } catch {
                    logger.error("reconciliation with the App Store failed", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
