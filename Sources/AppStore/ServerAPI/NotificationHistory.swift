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

/// Notifications that the store sent, or tried to send, as far as they were read.
public struct NotificationHistory: Sendable {
    /// As they were signed, to be verified like those that come by themselves.
    public var signedPayloads: [String]
    /// Where to go on, with the same filter; nil where this is all. The store forgets it after a while.
    public var continuation: String?
    /// Why there may be more; nil where this is all.
    public var interruption: Unavailability?
}

/// What became of a test notification.
public struct TestNotification: Hashable, Sendable {
    public struct Attempt: Hashable, Sendable {
        public var date: Date
        /// The store's word: `SUCCESS`, `TIMED_OUT`, `TLS_ISSUE`, and others (Apple, `sendAttemptResult`).
        public var result: String
    }

    public var signedPayload: String
    /// Empty where it was not sent yet.
    public var attempts: [Attempt]
}
