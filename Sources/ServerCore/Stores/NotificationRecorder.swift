package import Basics
import Foundation
package import InAppPurchase
package import Ledger
package import Logging
package import ServerHTTP

/// Records notifications of a store: what is verified is applied, anything else waits until the store was asked about
/// it.
package struct NotificationRecorder: Sendable {
    package let ledger: any ReceiptLedger & StoreLedger & KeyValueStore
    package let decisions: ServingContext
    package let logger: Logger
    /// Logs the messages that anybody can cause, limited in number: forgeries, unsigned notifications, and those that
    /// the store signed for other apps.
    package let lines: RepeatedLines
    package let metrics: ServerMetrics

    package init(
        ledger: any ReceiptLedger & StoreLedger & KeyValueStore, decisions: ServingContext, logger: Logger,
        lines: RepeatedLines,
        metrics: ServerMetrics
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.logger = logger
        self.lines = lines
        self.metrics = metrics
    }

    /// Records a notification. It is durable when this returns; a repeated one changes nothing.
    ///
    /// - Parameters:
    ///   - isDelivery: whether the store sent it to this server, rather than being asked for what was missed.
    ///   - read: reads and verifies it, in the context that it is recorded in.
    /// - Returns: what changed; `nil` if the notification was recorded before, or waits.
    /// - Throws: what `read` and the ledger throw.
    @discardableResult
    package func record(
        isDelivery: Bool = false, _ read: (RecordingContext) async throws -> ReadNotification
    ) async throws -> Observation? {
        let context = decisions.context
        var notification: ReadNotification
        do {
            notification = try await read(context)
        } catch let refused as NotificationRejection {
            // Version 1 is not signed.
            if isDelivery, refused.version > 1 {
                decisions.signatures.record(.notifications, refused.rejection, at: context.date)
            }
            report(refused)
            throw refused
        }
        notification.notification.isDelivered = isDelivery
        guard notification.isVerified else {
            try await enqueue(notification, at: context.date)
            return nil
        }
        if isDelivery { decisions.signatures.record(.notifications, nil, at: context.date) }
        let observation = try await apply(notification, in: context)
        try await record(notification.notification.extensionSummary, of: notification.notification, at: context.date)
        if isDelivery, notification.notification.type == AppStoreNotification.test {
            try await TestNotifications(ledger: ledger).recordArrival(of: notification.notification, at: context.date)
        }
        return observation
    }

    private func record(
        _ summary: ExtensionSummary?, of notification: AppStoreNotification, at date: Date
    ) async throws {
        guard let summary, let app = notification.app, let environment = notification.environment else { return }
        let scope = Scope(app: app, environment: environment)
        try await SubscriberExtensionRecords(ledger: ledger).record(summary, in: scope, at: date)
    }

    private func apply(_ read: ReadNotification, in context: RecordingContext) async throws -> Observation? {
        let notification = read.notification
        let observation = try await ledger.record(notification, in: context)
        metrics.notified(version: read.version, observation == nil ? .duplicate : .applied)
        metrics.verified(notificationOfType: notification.type)
        log(notification, observation, isServed: notification.app.map { context.catalog.app($0) != nil } ?? true)
        return observation
    }

    private func enqueue(_ read: ReadNotification, at now: Date) async throws {
        let notification = read.notification
        let isNew = try await ledger.enqueue(notification, retryAt: now, at: now)
        metrics.notified(version: read.version, isNew ? .stored : .duplicate)
        lines.log(.init("notification queued for verification"), .info, metadata: notification.metadata, to: logger)
    }

    /// Counts and logs a notification that was read and is not from the store.
    private func report(_ refused: NotificationRejection) {
        metrics.notified(version: refused.version, .rejected)
        let reason = refused.rejection.reason.rawValue
        lines.log(
            .init("notification rejected", ["reason": reason]), .warning,
            metadata: ["reason": "\(reason)", "detail": "\(refused.rejection.detail)"], to: logger)
    }

    private func log(_ notification: AppStoreNotification, _ observation: Observation?, isServed: Bool) {
        var metadata = notification.metadata
        guard let observation else { return logger.debug("notification already recorded", metadata: metadata) }
        metadata["transactionsChanged"] = "\(observation.changed)"
        metadata["unclaimed"] = "\(observation.unclaimed)"
        guard isServed else {
            let kind = RepeatedLines.Kind("notification of an app that is not served kept")
            return lines.log(kind, .notice, metadata: metadata, to: logger)
        }
        logger.info("notification applied", metadata: metadata)
    }
}

extension AppStoreNotification {
    /// The metadata for the log: IDs and Apple's own terms only.
    package var metadata: Logger.Metadata {
        [
            "notification": "\(id)", "type": "\(type)", "subtype": "\(subtype ?? "-")", "app": "\(app?.text ?? "-")",
            "environment": "\(environment?.rawValue ?? "-")",
        ]
    }
}

/// A store's notification that was read, and not recorded yet.
package struct ReadNotification: Sendable {
    package var notification: AppStoreNotification
    /// The version of the store's format, by which notifications are counted.
    package var version: Int
    /// Whether its own signature proves it; otherwise the store is asked about the purchases in it.
    package var isVerified: Bool

    package init(notification: AppStoreNotification, version: Int, isVerified: Bool) {
        self.notification = notification
        self.version = version
        self.isVerified = isVerified
    }
}
