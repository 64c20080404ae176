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

/// How far the stored bytes have been read again for facts that earlier releases did not keep: see
/// ``StoreLedger/backfillPage(after:)``.
package struct BackfillPosition: Hashable, Codable, Sendable {
    package enum Phase: String, Codable, Sendable {
        case receipts
        case notifications
        case done
    }

    package var phase: Phase
    /// The ID of the last row of the phase that was read; empty before the first.
    package var id: String

    package init(_ phase: Phase, after id: String = "") {
        self.phase = phase
        self.id = id
    }

    /// Before everything, as in a ledger that no release with a backfill has opened.
    package static let start = Self(.receipts)
}
