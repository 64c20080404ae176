import Foundation
import InAppPurchase

/// Notifies the apps' servers of events: signs and enqueues; the outbox is sent elsewhere.
struct Notifier: Sendable {
    var counter: Counter
    var addresses: NotificationAddresses
    var outbox: Outbox

    /// Sends the notification of an act, if there is one and the app has a notification URL.
    func tell(_ outcome: ActOutcome, at date: Date) async throws {
        guard let kind = outcome.kind else { return }
        guard outcome.unclaimed.isEmpty else {
            return try await tell(kind, ofSeats: outcome.unclaimed, of: outcome.newest, at: date)
        }
        try await tell(kind, of: outcome.purchase, newest: outcome.newest, at: date)
    }

    /// - Parameters:
    ///   - purchase: the transaction that the notification is about.
    ///   - newest: the newest transaction of its original transaction.
    ///   - reason: `consumptionRequestReason`.
    func tell(
        _ kind: NotificationKind, of purchase: StoredPurchase, newest: StoredPurchase, reason: String? = nil,
        at date: Date
    ) async throws {
        let transaction = purchase.transaction
        guard let address = try await addresses.address(app: transaction.app, environment: transaction.environment)
        else { return }
        guard address.version == 2 else { return try await tellLegacy(kind, newest, address, at: date) }
        var content = await content(app: transaction.app, environment: transaction.environment)
        content.signedTransactionInfo = try counter.signedTransaction(purchase, at: date)
        content.signedRenewalInfo = try counter.signedRenewalInfo(newest, at: date)
        content.status = newest.status(at: date)?.rawValue
        content.consumptionRequestReason = reason
        var notification = try sign(kind, content, at: date, transaction.app, transaction.environment)
        notification.originalTransactionID = transaction.originalID
        notification.appTransactionID = purchase.customer.appTransactionID
        try await outbox.send(notification, to: address, at: date)
    }

    private func tell(
        _ kind: NotificationKind, ofSeats ids: [UUID], of newest: StoredPurchase, at date: Date
    ) async throws {
        let (app, environment) = (newest.transaction.app, newest.transaction.environment)
        guard let address = try await addresses.address(app: app, environment: environment), address.version == 2 else {
            return
        }
        let content = await content(app: app, environment: environment)
        let info = SimulatorNotificationPayload.UnclaimInfo(
            appAppleId: content.appAppleId, bundleId: content.bundleId, environment: content.environment,
            unclaimSeatIds: ids.map(\.text))
        var notification = try sign(kind, unclaimed: info, at: date, app, environment)
        notification.originalTransactionID = newest.transaction.originalID
        notification.appTransactionID = newest.customer.appTransactionID
        try await outbox.send(notification, to: address, at: date)
    }

    /// Sends a TEST notification of version 2, and returns its UUID; `nil` if there is no notification URL.
    func test(app: BundleID, environment: Environment, at date: Date) async throws -> String? {
        guard let address = try await addresses.address(app: app, environment: environment), address.version == 2 else {
            return nil
        }
        let content = await content(app: app, environment: environment)
        let notification = try sign(.test, content, at: date, app, environment)
        try await outbox.send(notification, to: address, at: date)
        return notification.id
    }

    /// Sends the summary of an extension for all subscribers, if the app has a notification URL of version 2.
    func tell(
        _ summary: SimulatorNotificationPayload.Summary, app: BundleID, environment: Environment, at date: Date
    ) async throws {
        guard let address = try await addresses.address(app: app, environment: environment), address.version == 2 else {
            return
        }
        var summary = summary
        summary.appAppleId = await content(app: app, environment: environment).appAppleId
        let notification = try sign(.extensionSummary, summary: summary, at: date, app, environment)
        try await outbox.send(notification, to: address, at: date)
    }

    private func content(app: BundleID, environment: Environment) async -> SimulatorNotificationPayload.Content {
        // The App Store states a number in every notification of Production.
        let known = await counter.numbers.number(of: app, in: environment) ?? AppNumbers.standIn
        let number = environment == .production ? known : nil
        return SimulatorNotificationPayload.Content(
            appAppleId: number, bundleId: app.text, environment: environment.rawValue)
    }

    private func sign(
        _ kind: NotificationKind, _ content: SimulatorNotificationPayload.Content? = nil,
        summary: SimulatorNotificationPayload.Summary? = nil,
        unclaimed: SimulatorNotificationPayload.UnclaimInfo? = nil, at date: Date, _ app: BundleID,
        _ environment: Environment
    ) throws -> StoredNotification {
        let id = UUID().text
        let payload = SimulatorNotificationPayload(
            notificationType: kind.type, subtype: kind.subtype, notificationUUID: id, signedDate: date.milliseconds,
            data: content, summary: summary, unclaimInfo: unclaimed)
        let body = SimulatorNotificationBody(signedPayload: try counter.signedDataKey.sign(payload))
        return StoredNotification(
            id: id, type: kind.type, subtype: kind.subtype, app: app, environment: environment, version: 2,
            signedDate: date, body: try JSONEncoder.sorted.encode(body))
    }

    private func tellLegacy(
        _ kind: NotificationKind, _ newest: StoredPurchase, _ address: NotificationAddress, at date: Date
    ) async throws {
        let (app, environment) = (newest.transaction.app, newest.transaction.environment)
        let isSubscription = newest.subscription != nil
        guard let type = kind.version1(isSubscription: isSubscription, in: environment) else { return }
        let latest = try await counter.appReceipt(of: newest.customer, at: date)
        let request = VerifyReceiptRequest(receiptData: latest, excludesOldTransactions: false)
        let receipt = try await VerifyReceipt(counter: counter).answer(to: request, in: environment, at: date)
        let notification = SimulatorLegacyNotification(
            type: type, password: address.password, receipt: receipt, newest: newest, date: date)
        let stored = StoredNotification(
            id: UUID().text, type: type, app: app, environment: environment,
            originalTransactionID: newest.transaction.originalID, appTransactionID: newest.customer.appTransactionID,
            version: 1, signedDate: date, body: try notification.encoded())
        try await outbox.send(stored, to: address, at: date)
    }
}
