import Foundation
import InAppPurchase

/// The state of a notification's delivery.
struct NotificationDelivery: Codable, Sendable {
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

    /// The app and environment, as in ``StoredNotification/storeKey``.
    var place: AppPlace { AppPlace(app: app, environment: environment) }
    var storeKey: String { "simulator/deliveries/\(place.key)/\(id)" }

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
