public import Foundation
public import InAppPurchase

/// Which notifications are wanted.
///
/// Source: Apple, "Get Notification History", NotificationHistoryRequest.
public struct NotificationFilter: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        case everything
        /// `notificationType`, and `notificationSubtype` where one is meant.
        case type(String, subtype: String? = nil)
        case transaction(TransactionID)
    }

    /// Within the last 180 days, in the sandbox 30.
    public var startDate: Date
    public var endDate: Date
    public var subject = Subject.everything
    /// Only those that the server did not take.
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
