import Logging

/// The findings of a reconciliation that were not known before.
struct ReconciliationFindings: Codable, Sendable {
    /// Notifications that had not arrived.
    var notifications = 0
    /// Subscriptions that expired without an update, and that were asked about.
    var subscriptionsAsked = 0
    /// Transactions that were not known, or had changed.
    var transactions = 0
    /// Requests that failed, and notifications that could not be recorded; they are tried again next time.
    var failures = 0

    static func += (left: inout Self, right: Self) {
        left.notifications += right.notifications
        left.subscriptionsAsked += right.subscriptionsAsked
        left.transactions += right.transactions
        left.failures += right.failures
    }

    var metadata: Logger.Metadata {
        [
            "notifications": "\(notifications)", "linesAsked": "\(subscriptionsAsked)",
            "transactions": "\(transactions)",
            "failures": "\(failures)",
        ]
    }
}
