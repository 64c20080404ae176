import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

private struct SendAttemptItem: Encodable {
    var attemptDate: Int
    var sendAttemptResult: String
}

private struct NotificationItem: Encodable {
    var signedPayload: String
    var sendAttempts: [SendAttemptItem]

    init(_ entry: NotificationBook.Entry) throws {
        signedPayload = try JSONDecoder().decode(SimulatorNotificationBody.self, from: entry.notification.body)
            .signedPayload
        sendAttempts = entry.delivery.attempts.map {
            SendAttemptItem(attemptDate: $0.date.milliseconds, sendAttemptResult: $0.result.rawValue)
        }
    }
}

private struct NotificationHistoryResponse: Encodable {
    var notificationHistory: [NotificationItem]
    var hasMore: Bool
    var paginationToken: String?
}

private struct TestNotificationResponse: Encodable {
    var testNotificationToken: String
}

/// The notification history and test notifications (Apple, "Get Notification History" and "Request a Test
/// Notification").
extension ServerAPI {
    @Sendable func notificationHistory(_ call: ServerAPICall) async throws -> Response {
        let asked = try await call.body(NotificationHistoryRequest.self)
        try asked.check(in: environment, at: call.date)
        var filter = asked.filter
        if let id = asked.transactionId {
            filter.appTransactionID = try await customer(id, call).first?.customer.appTransactionID
        }
        let start = try call.query("paginationToken").map {
            try NotificationPageToken(text: $0, filter: filter, at: call.date).sequence
        }
        let place = AppPlace(app: call.app, environment: environment)
        let rest = try await notifications.deliveries(of: place).filter { delivery in
            filter.matches(delivery) && start.map { delivery.sequence > $0 } ?? true
        }
        let page = rest.prefix(Self.pageSize)
        let token = try page.last.map {
            try NotificationPageToken(sequence: $0.sequence, filter: filter, date: call.date).text
        }
        let hasMore = rest.count > page.count
        return try .json(
            NotificationHistoryResponse(
                notificationHistory: try await items(of: page), hasMore: hasMore,
                paginationToken: hasMore ? token : nil))
    }

    private func items(of page: some Sequence<NotificationDelivery>) async throws -> [NotificationItem] {
        var items: [NotificationItem] = []
        for delivery in page {
            // One that has just been removed is left out.
            guard let notification = try await notifications.notification(of: delivery) else { continue }
            items.append(
                try NotificationItem(NotificationBook.Entry(notification: notification, delivery: delivery)))
        }
        return items
    }

    @Sendable func requestTestNotification(_ call: ServerAPICall) async throws -> Response {
        guard let id = try await notifier.test(app: call.app, environment: environment, at: call.date) else {
            throw ServerAPIError.notificationURLNotFound
        }
        let token = TestNotificationResponse(testNotificationToken: "\(id)_\(call.date.milliseconds)")
        return try .json(token)
    }

    @Sendable func testNotificationStatus(_ call: ServerAPICall) async throws -> Response {
        let parts = call.id.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = parts.first.flatMap({ UUID(uuidString: String($0)) }),
            parts.last?.isDecimal == true
        else { throw ServerAPIError.testNotificationToken }
        let place = AppPlace(app: call.app, environment: environment)
        guard let entry = try await notifications.entry(id.text, of: place),
            entry.notification.type == NotificationKind.test.type
        else { throw ServerAPIError.testNotificationNotFound }
        return try .json(NotificationItem(entry))
    }
}
