import Foundation
import InAppPurchase

/// The state of a notification's delivery.
struct NotificationDelivery: Codable, Sendable {
    /// The values that the notification history is filtered by, so that it need not read the bodies.
    struct Summary: Codable, Sendable {
        var type: String
        var subtype: String?
        var signedDate: Date
        /// The customer's `appTransactionId`.
        var appTransactionID: String?

        init(_ notification: StoredNotification) {
            type = notification.type
            subtype = notification.subtype
            signedDate = notification.signedDate
            appTransactionID = notification.appTransactionID
        }
    }

    /// The ID of the notification.
    var id: String
    var app: BundleID
    var environment: Environment
    var version: Int
    var url: String
    /// The order of sending.
    var sequence: Int
    /// The attempts, oldest first.
    var attempts: [SendAttempt] = []
    /// The date of the next attempt; `nil` if none is left to make.
    var due: Date?
    var summary: Summary

    init(_ notification: StoredNotification, url: String, sequence: Int, due: Date) {
        id = notification.id
        app = notification.app
        environment = notification.environment
        version = notification.version
        self.url = url
        self.sequence = sequence
        self.due = due
        summary = Summary(notification)
    }

    /// The app and environment, as in ``StoredNotification/storeKey``.
    var place: AppPlace { AppPlace(app: app, environment: environment) }
    var storeKey: String { "simulator/deliveries/\(place.key)/\(id)" }
    var name: NotificationBook.Name {
        NotificationBook.Name(sequence: sequence, keys: [storeKey, "simulator/notifications/\(place.key)/\(id)"])
    }

    /// Records an attempt, and sets the date of the next one: production retries failures, the sandbox does not (Apple,
    /// "Responding to App Store Server Notifications").
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

/// The intervals between attempts, in hours.
enum RetryRule {
    static let version1: [TimeInterval] = [6, 24, 48]
    static let version2: [TimeInterval] = [1, 12, 24, 48, 72]
}

/// One app in one environment.
struct AppPlace: Hashable, Sendable {
    var app: BundleID
    var environment: Environment

    /// A string safe in a key of the key/value store: no customer has an empty name.
    var key: String { Customer(app: app, environment: environment, name: "").key }
}
