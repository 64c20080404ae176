package import InAppPurchase
package import Foundation

/// Access by receipts that the store cannot judge now.
package protocol ProvisionalAccess: Sendable {
    /// Gives access to what a kept receipt was bought for, until the store has spoken, and at most for
    /// ``RecordingContext/provisionalTime`` from when the receipt was recorded. Each purchase is opened so once, for the
    /// account that shows it first.
    ///
    /// - Parameter verified: what the receipt says by its own signature.
    /// - Returns: when it ends; nil where it gives nothing that the account does not have. The second time the same.
    func openProvisionally(
        _ receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> Date?
}
