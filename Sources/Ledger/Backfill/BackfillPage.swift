package import Foundation
package import InAppPurchase

/// Some rows with stored bytes, in the order of their IDs.
package struct BackfillPage: Sendable {
    /// A row with its bytes, and the date on which it was stored.
    package enum Item: Sendable {
        /// A receipt that was accepted.
        case receipt(Receipt, Date)
        /// A notification; it has no facts here.
        case notification(AppStoreNotification, Date)
    }

    /// A page ends when it has this many items, or when their bytes exceed ``maximumBytes``: receipts of 3 MB are
    /// allowed.
    package static let maximumItems = 200
    package static let maximumBytes = 1 << 20

    package var items: [Item]
    /// The position after the page.
    package var next: BackfillPosition

    package init(items: [Item], next: BackfillPosition) {
        self.items = items
        self.next = next
    }
}
