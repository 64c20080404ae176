import AppStore
import Ledger
import Logging
import ServiceLifecycle

/// App Store Server Notifications, consumption requests and reconciliation.
struct AppStoreEvents {
    let intake: NotificationIntake
    let worker: NotificationWorker
    let consumption: ConsumptionWorker
    let reconciler: Reconciler
    let services: [any Service]

    init(
        _ store: AppStoreServices, _ settings: Settings, _ decisions: ServingContext, _ ledger: any Ledger,
        _ random: @escaping RandomBytes, _ logger: Logger, _ lines: RepeatedLines, _ metrics: ServerMetrics
    ) {
        intake = NotificationIntake(
            ledger: ledger, decisions: decisions, verifier: NotificationVerifier(signedData: store.verifier.signedData),
            secret: settings.appStore.secrets, logger: logger, lines: lines, metrics: metrics)
        worker = NotificationWorker(
            ledger: ledger, decisions: decisions, store: store.verifyReceipt, secret: settings.appStore.secrets,
            random: random, logger: logger)
        consumption = ConsumptionWorker(
            ledger: ledger, decisions: decisions, api: store.api, keys: store.keys, logger: logger)
        reconciler = Reconciler(
            ledger: ledger, decisions: decisions, api: store.api, keys: store.keys, notifications: intake,
            logger: logger)
        services = [worker, consumption, ReconciliationWorker(reconciler: reconciler, logger: logger)]
    }
}
