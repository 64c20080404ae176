public import Foundation
public import InAppPurchase

/// A filter for the notification history.
///
/// Source: Apple, "Get Notification History", NotificationHistoryRequest.
public struct NotificationFilter: Hashable, Sendable {
    /// The condition on a notification's content.
    public enum Subject: Hashable, Sendable {
        /// All notifications.
        case everything
        /// The notifications of a `notificationType`, and of one `notificationSubtype` if it is given.
        case type(String, subtype: String? = nil)
        /// The notifications about the customer's transactions, by a transaction ID.
        case transaction(TransactionID)
    }

    /// The earliest date; within the last 180 days, in the sandbox 30.
    public var startDate: Date
    /// The latest date.
    public var endDate: Date
    /// The condition on the content; all by default.
    public var subject = Subject.everything
    /// Whether to return only notifications that did not reach the server.
    public var onlyFailures = false

    public init(from startDate: Date, to endDate: Date) {
        self.startDate = startDate
        self.endDate = endDate
    }

    private struct Body: Encodable {
        var startDate: Int
        var endDate: Int
        var notificationType: String?
        var notificationSubtype: String?
        var transactionId: TransactionID?
        var onlyFailures: Bool?
    }

    var json: Data {
        get throws {
            var body = Body(startDate: startDate.milliseconds, endDate: endDate.milliseconds)
            body.onlyFailures = onlyFailures ? true : nil
            switch subject {
            case .everything: break
            case .type(let type, let subtype): (body.notificationType, body.notificationSubtype) = (type, subtype)
            case .transaction(let id): body.transactionId = id
            }
            return try JSONEncoder().encode(body)
        }
    }
}
