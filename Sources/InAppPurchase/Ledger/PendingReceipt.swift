public import Foundation

/// A receipt that waits for the store.
public struct PendingReceipt: Sendable {
    /// More than a player can honestly have, so that nobody makes this server knock at the store for nothing.
    public static let maximumPending = 20

    public var receipt: Receipt
    public var attempts: Attempts
    /// Presented again before this date it is asked about at once, and another doubt of the store counts for nothing;
    /// nil if ``Attempts/areAmbiguous`` is false.
    public var ambiguousUntil: Date?

    public init(receipt: Receipt, attempts: Attempts) {
        self.receipt = receipt
        self.attempts = attempts
    }
}
