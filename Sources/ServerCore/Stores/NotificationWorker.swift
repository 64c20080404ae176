package import Foundation
import InAppPurchase
package import Ledger
package import Logging
package import ServerHTTP
import ServiceLifecycle
import StoreClient

/// Asks the store about notifications that are not verified by themselves.
package struct NotificationWorker: PeriodicService {
    package static let interval = Duration.seconds(1)
    /// The number of notifications asked about concurrently.
    package static let atOnce = 4
    package static let attemptTime = Duration.seconds(30)
    /// In seconds; longer than ``attemptTime``.
    package static let lease: TimeInterval = 60

    package let ledger: any StoreLedger
    package let decisions: ServingContext
    package let store: any Store
    package let random: RandomBytes
    package let logger: Logger

    package init(
        ledger: any StoreLedger, decisions: ServingContext, store: any Store, random: @escaping RandomBytes,
        logger: Logger
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
        self.random = random
        self.logger = logger
    }

    package func runOnce() async { await askAboutDueNotifications() }

    /// Asks once about every notification of one batch that is due.
    package func askAboutDueNotifications() async {
        do {
            let now = decisions.clock()
            let due = try await ledger.dueNotifications(
                limit: Self.atOnce, lease: now.addingTimeInterval(Self.lease), at: now)
            await withTaskGroup { group in
                for pending in due { group.addTask { await ask(pending) } }
            }
        } catch {
            logger.error("pending notifications could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func ask(_ pending: PendingNotification) async {
        let notification = pending.notification
        do {
            switch await store.ask(about: notification, within: Self.attemptTime, at: decisions.clock()) {
            case .verified(let facts): try await complete(notification, facts)
            case .rejected: try await complete(notification, nil)
            case .unavailable(let trouble):
                let now = decisions.clock()
                guard let retry = RetryPlan(after: pending.attempts, trouble, at: now, random) else {
                    logger.error(
                        "asking the store for the receipt of a notification failed",
                        metadata: notification.metadata.merging(["detail": "\(trouble.detail)"]) { $1 })
                    return try await complete(notification, nil)
                }
                try await ledger.postpone(
                    notification: notification.id, attempts: retry.attempts, until: now.addingTimeInterval(retry.delay))
            }
        } catch {
            logger.error("pending notification still pending", metadata: ["error": "\(error)"])
        }
    }

    private func complete(_ notification: AppStoreNotification, _ facts: VerifiedReceipt?) async throws {
        let observation = try await ledger.complete(notification: notification.id, facts, in: decisions.context)
        var metadata = notification.metadata
        metadata["proven"] = "\(facts != nil)"
        metadata["transactionsChanged"] = "\(observation?.changed ?? 0)"
        logger.info("pending notification completed", metadata: metadata)
    }
}
