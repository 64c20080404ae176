import AppStore
import Foundation
import InAppPurchase
import Ledger
import Logging
import ServiceLifecycle
import StoreClient

/// Asks the App Store about the receipts in version 1 notifications, which are not signed.
struct NotificationWorker: PeriodicService {
    static let interval = Duration.seconds(1)
    /// The number of notifications asked about concurrently.
    static let atOnce = 4
    static let attemptTime = Duration.seconds(30)
    /// In seconds; longer than ``attemptTime``.
    static let lease: TimeInterval = 60

    let ledger: any Ledger
    let decisions: ServingContext
    let store: VerifyReceiptClient
    let secret: @Sendable (BundleID) -> String?
    let random: RandomBytes
    let logger: Logger

    func runOnce() async { await askAboutDueNotifications() }

    /// Asks once about every notification of one batch that is due.
    func askAboutDueNotifications() async {
        do {
            let now = decisions.clock()
            let due = try await ledger.dueNotifications(
                limit: Self.atOnce, lease: now.addingTimeInterval(Self.lease), at: now)
            await withTaskGroup { group in
                for kept in due { group.addTask { await ask(kept) } }
            }
        } catch {
            logger.error("pending notifications could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func ask(_ kept: PendingNotification) async {
        let notification = kept.notification
        do {
            switch await verdict(on: notification) {
            case .verified(let answer) where answer.bundleID == notification.app:
                try await complete(notification, answer.receipt)
            case .verified, .rejected: try await complete(notification, nil)
            case .unavailable(let trouble):
                let now = decisions.clock()
                guard let retry = RetryPlan(after: kept.attempts, trouble, at: now, random) else {
                    logger.error(
                        "App Store request for the receipt of a notification failed",
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

    private func verdict(on notification: AppStoreNotification) async -> VerificationResult<AppStoreAnswer> {
        guard let kind = Receipt.Kind(of: notification.content) else { return .rejected(ReceiptRejection(.malformed)) }
        do throws(ReceiptRejection) {
            // As for any other receipt: the secret of the app that the receipt itself names.
            let app = try UnverifiedReceipt(base64: notification.content, kind: kind).bundleID ?? notification.app
            return await store.verify(
                notification.content, secret: app.flatMap(secret), within: Self.attemptTime, at: decisions.clock())
        } catch {
            return .rejected(error)
        }
    }

    private func complete(_ notification: AppStoreNotification, _ facts: VerifiedReceipt?) async throws {
        let observation = try await ledger.complete(notification: notification.id, facts, in: decisions.context)
        var metadata = notification.metadata
        metadata["proven"] = "\(facts != nil)"
        metadata["transactionsChanged"] = "\(observation?.news ?? 0)"
        logger.info("pending notification completed", metadata: metadata)
    }
}
