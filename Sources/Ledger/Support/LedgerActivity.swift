package import Foundation

/// When a ledger was last written to, by what an operator watches.
package struct LedgerActivity: Hashable, Sendable {
    /// The date of the newest purchase in Production; `nil` if there is none.
    package var newestPurchase: Date?
    /// The date at which the newest notification of the store was recorded; `nil` if there is none.
    package var newestNotification: Date?
    /// The date of the oldest row of the audit trail that has no seal; `nil` if all have one.
    package var oldestUnsealed: Date?

    package init(newestPurchase: Date? = nil, newestNotification: Date? = nil, oldestUnsealed: Date? = nil) {
        self.newestPurchase = newestPurchase
        self.newestNotification = newestNotification
        self.oldestUnsealed = oldestUnsealed
    }
}
