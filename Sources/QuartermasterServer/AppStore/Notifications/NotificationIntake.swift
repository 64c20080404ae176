import AppStore
import Basics
import Foundation
import InAppPurchase
import Ledger
import Logging

/// App Store Server Notifications: verified, recorded and applied, or recorded and verified later.
struct NotificationIntake: Sendable {
    let ledger: any Ledger
    let decisions: ServingContext
    let verifier: NotificationVerifier
    /// The shared secret of an app.
    let secret: @Sendable (BundleID) -> String?
    let logger: Logger
    /// Logs the messages that anybody can cause, limited in number: forgeries, unsigned notifications, and those that
    /// the App Store signed for other apps.
    let lines: RepeatedLines
    let metrics: ServerMetrics

    /// Accepts a notification of either version.
    ///
    /// - Parameter ofKnownSigner: refuses version 1, and signers whose certificate chain was not verified before.
    /// - Throws: what the two methods below throw.
    func accept(_ body: NotificationBody, ofKnownSigner: Bool = false) async throws {
        guard let signedPayload = body.signedPayload else {
            guard !ofKnownSigner else { throw ReceiptRejection(.signature, "not signed") }
            return try await accept(legacy: body.json)
        }
        if ofKnownSigner, !verifier.knowsSigner(of: signedPayload, at: decisions.clock()) {
            throw ReceiptRejection(.chain, "a signer not seen before")
        }
        try await accept(signedPayload: signedPayload)
    }

    /// Accepts version 2. The notification is durable when this returns; a repeated one changes nothing.
    ///
    /// - Returns: what changed; `nil` if the notification was recorded before.
    /// - Throws: `ReceiptRejection` for what the App Store did not sign, ``AppStore/VerifierBusy``, and what the ledger
    ///   throws.
    @discardableResult
    func accept(signedPayload: String) async throws -> Observation? {
        let context = decisions.context
        let notification: AppStoreNotification
        do {
            notification = try await verifier.verify(signedPayload, catalog: context.catalog, at: context.date)
        } catch let rejection as ReceiptRejection {
            throw refused(rejection, version: 2)
        }
        let observation = try await ledger.record(notification, in: context)
        metrics.notified(version: 2, observation == nil ? .duplicate : .applied)
        log(notification, observation, isServed: notification.app.map { context.catalog.app($0) != nil } ?? true)
        return observation
    }

    /// Accepts version 1. It is not signed, so it is recorded as pending, and the App Store is asked about the receipt
    /// in it.
    ///
    /// - Throws: `ReceiptRejection` if it cannot be read or its secret is wrong, and what the ledger throws.
    func accept(legacy body: StrictJSON) async throws {
        let now = decisions.clock()
        let legacy: LegacyNotification
        do throws(ReceiptRejection) {
            legacy = try LegacyNotification(json: body, secret: secret)
        } catch {
            throw refused(error, version: 1)
        }
        let notification = AppStoreNotification(
            id: legacy.id, type: legacy.type, app: legacy.app, environment: legacy.environment, signedDate: now,
            content: legacy.latestReceipt ?? "")
        let isNew = try await ledger.enqueue(notification, retryAt: now, at: now)
        metrics.notified(version: 1, isNew ? .kept : .duplicate)
        lines.log(.init("notification queued for verification"), .info, metadata: notification.metadata, to: logger)
    }

    /// Counts and logs a notification that is not from the App Store.
    func refused(_ rejection: ReceiptRejection, version: Int) -> ReceiptRejection {
        metrics.notified(version: version, .rejected)
        let reason = rejection.reason.rawValue
        lines.log(
            .init("notification rejected", ["reason": reason]), .warning,
            metadata: ["reason": "\(reason)", "detail": "\(rejection.detail)"], to: logger)
        return rejection
    }

    private func log(_ notification: AppStoreNotification, _ observation: Observation?, isServed: Bool) {
        var metadata = notification.metadata
        guard let observation else {
            return logger.debug("notification already recorded", metadata: metadata)
        }
        metadata["transactionsChanged"] = "\(observation.news)"
        metadata["unclaimed"] = "\(observation.unclaimed)"
        guard isServed else {
            let kind = RepeatedLines.Kind("notification of an app that is not served kept")
            return lines.log(kind, .notice, metadata: metadata, to: logger)
        }
        logger.info("notification applied", metadata: metadata)
    }
}

extension AppStoreNotification {
    /// IDs and Apple's own terms only.
    var metadata: Logger.Metadata {
        [
            "notification": "\(id)", "type": "\(type)", "subtype": "\(subtype ?? "-")", "app": "\(app?.text ?? "-")",
            "environment": "\(environment?.rawValue ?? "-")",
        ]
    }
}
