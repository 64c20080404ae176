import Foundation
import InAppPurchase

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
