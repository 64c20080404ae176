package import Foundation
package import InAppPurchase

/// When a ledger was last written to, by what an operator watches.
package struct LedgerActivity: Hashable, Sendable {
    /// The maximum of purchases that are looked at, the newest: of an app that sells less than one of so many nothing
    /// is known.
    package static let maximumPurchases = 10_000
    /// The maximum of apps whose notifications are looked at. The store also tells of apps that are not served.
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
