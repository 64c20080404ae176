package import Foundation
package import InAppPurchase

/// The dates of the latest records of a ledger that an operator watches.
package struct LedgerActivity: Hashable, Sendable {
    /// The maximum number of purchases that are looked at, newest first: nothing is known of an app that sells less
    /// than one of this many.
    package static let maximumPurchases = 10_000
    /// The maximum number of apps whose notifications are looked at. The store also sends those of apps that are not
    /// served.
    package static let maximumApps = 1_000

    /// The date of each app's newest purchase in Production, in the time that was asked about.
    package var newestPurchases: [BundleID: Date]
    /// The date at which the store last sent a notification to this server, by app and environment. One that the server
    /// fetched does not count.
    package var newestNotifications: [Scope: Date]
    /// The date of the oldest row of the audit trail that has no seal; `nil` if all have one.
    package var oldestUnsealed: Date?

    package init(
        newestPurchases: [BundleID: Date] = [:], newestNotifications: [Scope: Date] = [:], oldestUnsealed: Date? = nil
    ) {
        self.newestPurchases = newestPurchases
        self.newestNotifications = newestNotifications
        self.oldestUnsealed = oldestUnsealed
    }

    /// The date at which the store last sent any notification; `nil` if it never did.
    package var newestNotification: Date? { newestNotifications.values.max() }
}
