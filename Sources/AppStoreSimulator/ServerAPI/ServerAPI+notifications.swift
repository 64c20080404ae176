import Basics
import Crypto
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
            items.append(try NotificationItem(NotificationBook.Entry(notification: notification, delivery: delivery)))
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

/// Apple, NotificationHistoryRequest. Dates are milliseconds since 1970.
struct NotificationHistoryRequest: Decodable {
    private enum CodingKeys: CodingKey {
        case startDate, endDate, notificationType, notificationSubtype, transactionId, onlyFailures
    }

    /// The retention of the history, in seconds.
    private static let reach: [InAppPurchase.Environment: TimeInterval] = [
        .production: 180 * 86_400, .sandbox: 30 * 86_400,
    ]

    var filter: SimulatorNotificationFilter
    var transactionId: String?

    /// - Throws: ``ServerAPIError``; a date that is not a whole number counts as invalid.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let start = try? members.decode(Int.self, forKey: .startDate) else { throw ServerAPIError.startDate }
        guard let end = try? members.decode(Int.self, forKey: .endDate) else { throw ServerAPIError.endDate }
        transactionId = try members.decodeIfPresent(String.self, forKey: .transactionId)
        filter = SimulatorNotificationFilter(
            start: start, end: end, type: try members.decodeIfPresent(String.self, forKey: .notificationType),
            subtype: try members.decodeIfPresent(String.self, forKey: .notificationSubtype),
            onlyFailures: try members.decodeIfPresent(Bool.self, forKey: .onlyFailures) ?? false)
    }

    /// - Throws: ``ServerAPIError``.
    func check(in environment: InAppPurchase.Environment, at date: Date) throws {
        guard filter.start <= filter.end else { throw ServerAPIError.startDateAfterEndDate }
        let earliest = date - (Self.reach[environment] ?? 0)
        guard filter.start >= earliest.milliseconds else { throw ServerAPIError.startDateTooFarInPast }
        if filter.type != nil, transactionId != nil { throw ServerAPIError.multipleFilters }
        guard filter.type.map(AppStoreNotification.knownTypes.contains) ?? (filter.subtype == nil) else {
            throw ServerAPIError.notificationType
        }
    }
}

/// The start of the next page of a notification history.
struct NotificationPageToken: Codable {
    /// The lifetime in seconds. Apple does not state it; long enough to read all pages.
    static let lifetime: TimeInterval = 86_400

    var sequence: Int
    private var filter: String
    private var date: Date

    init(sequence: Int, filter: SimulatorNotificationFilter, date: Date) throws {
        self.sequence = sequence
        self.date = date
        self.filter = try filter.digest
    }

    /// - Throws: ``ServerAPIError`` if it is malformed, belongs to another request, or has expired.
    init(text: String, filter: SimulatorNotificationFilter, at date: Date) throws {
        guard let data = Data(base64URL: text), let token = try? JSONDecoder().decode(Self.self, from: data),
            token.filter == (try filter.digest)
        else { throw ServerAPIError.paginationToken }
        guard date.timeIntervalSince(token.date) <= Self.lifetime else { throw ServerAPIError.paginationTokenExpired }
        self = token
    }

    var text: String { get throws { try JSONEncoder.sorted.encode(self).base64URL } }
}

/// The filter of a call for the notification history.
struct SimulatorNotificationFilter: Encodable {
    /// The first and the last date, in milliseconds since 1970.
    var start: Int
    var end: Int
    var type: String?
    var subtype: String?
    var onlyFailures: Bool
    /// The customer's `appTransactionId`.
    var appTransactionID: String?

    func matches(_ delivery: NotificationDelivery) -> Bool {
        let summary = delivery.summary
        let date = summary.signedDate.milliseconds
        let hasFailed = !delivery.attempts.contains { $0.result == .success }
        return delivery.version == 2 && date >= start && date <= end && type.map { summary.type == $0 } ?? true
            && subtype.map { summary.subtype == $0 } ?? true
            && (!onlyFailures || (hasFailed && !delivery.attempts.isEmpty))
            && appTransactionID.map { summary.appTransactionID == $0 } ?? true
    }

    /// A hash that is the same for the same filters.
    var digest: String { get throws { Data(SHA256.hash(data: try JSONEncoder.sorted.encode(self))).base64URL } }
}
