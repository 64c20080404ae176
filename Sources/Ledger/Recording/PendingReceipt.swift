package import InAppPurchase
package import Foundation

/// A receipt that waits for the store.
package struct PendingReceipt: Sendable {
    /// More than a player can honestly have, so that nobody makes this server knock at the store for nothing.
    package static let maximumPending = 20

    package var receipt: Receipt
    package var attempts: Attempts
    /// Presented again before this date it is asked about at once, and another doubt of the store counts for nothing;
    /// nil if ``Attempts/areAmbiguous`` is false.
    package var ambiguousUntil: Date?

    package init(receipt: Receipt, attempts: Attempts) {
        self.receipt = receipt
        self.attempts = attempts
    }
}
