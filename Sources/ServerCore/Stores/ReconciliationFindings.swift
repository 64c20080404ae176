package import Logging

/// The findings of a reconciliation that were not known before.
package struct ReconciliationFindings: Codable, Sendable {
    /// Notifications that had not arrived.
    package var notifications = 0
    /// Subscriptions that expired without an update, and that were asked about.
    package var subscriptionsAsked = 0
    /// Transactions that were not known, or had changed.
    package var transactions = 0
    /// Requests that failed, and notifications that could not be recorded; they are tried again next time.
    package var failures = 0

    package init(notifications: Int = 0, subscriptionsAsked: Int = 0, transactions: Int = 0, failures: Int = 0) {
        self.notifications = notifications
        self.subscriptionsAsked = subscriptionsAsked
        self.transactions = transactions
        self.failures = failures
    }

    package static func += (left: inout Self, right: Self) {
        left.notifications += right.notifications
        left.subscriptionsAsked += right.subscriptionsAsked
        left.transactions += right.transactions
        left.failures += right.failures
    }

    package var metadata: Logger.Metadata {
        [
            "notifications": "\(notifications)", "subscriptionsAsked": "\(subscriptionsAsked)",
            "transactions": "\(transactions)",
            "failures": "\(failures)",
        ]
    }
}
