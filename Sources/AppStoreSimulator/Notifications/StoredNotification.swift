import Foundation
import InAppPurchase

/// What the store told an app's server, as it was first signed.
struct StoredNotification: Codable, Sendable {
    /// `notificationUUID`.
    var id: String
    var type: String
    var subtype: String?
    var app: BundleID
    var environment: Environment
    /// Of the transaction it is about; a test is about none.
    var originalTransactionID: TransactionID?
    /// Of the customer.
    var appTransactionID: String?
    var version: Int
    var signedDate: Date
    /// The JSON that is posted, the same at every attempt.
    var body: Data

    var storeKey: String { "simulator/notifications/\(AppPlace(app: app, environment: environment).key)/\(id)" }
}

/// How far a notification has come.
struct NotificationDelivery: Codable, Sendable {
    /// Of the notification.
    var id: String
    var app: BundleID
    var environment: Environment
    var version: Int
    var url: String
    /// Notifications are sent in this order.
    var sequence: Int
    /// Oldest first.
    var attempts: [SendAttempt] = []
    /// When it is to be sent; nil where no attempt is left to make.
    var due: Date?

    /// Of ``StoredNotification/storeKey``.
    var place: AppPlace { AppPlace(app: app, environment: environment) }
    var storeKey: String { "simulator/deliveries/\(place.key)/\(id)" }

    /// Enters an attempt, and says when the next one is due: production tries again after failures, the sandbox never
    /// (Apple, "Responding to App Store Server Notifications").
    mutating func enter(_ result: SendAttempt.Result, at date: Date) {
        attempts.append(SendAttempt(date: date, result: result))
        let delays = environment == .production ? (version == 1 ? RetryRule.version1 : RetryRule.version2) : []
        guard result != .success, attempts.count <= delays.count else {
            due = nil
            return
        }
        due = date + delays[attempts.count - 1] * 3_600
    }
}

/// Hours after the attempt before.
enum RetryRule {
    static let version1: [TimeInterval] = [6, 24, 48]
    static let version2: [TimeInterval] = [1, 12, 24, 48, 72]
}

/// One time that a notification was sent (Apple, sendAttemptItem).
struct SendAttempt: Codable, Sendable {
    enum Result: String, Codable, Sendable {
        case success = "SUCCESS"
        case timedOut = "TIMED_OUT"
        case circularRedirect = "CIRCULAR_REDIRECT"
        case noResponse = "NO_RESPONSE"
        case socketIssue = "SOCKET_ISSUE"
        case invalidResponse = "INVALID_RESPONSE"
        case prematureClose = "PREMATURE_CLOSE"
        case unsuccessful = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        case other = "OTHER"
    }

    var date: Date
    var result: Result
}

/// One app in one environment.
struct AppPlace: Hashable, Sendable {
    var app: BundleID
    var environment: Environment

    /// Safe in a key of the key/value store: no customer has an empty name.
    var key: String { Customer(app: app, environment: environment, name: "").key }
}
