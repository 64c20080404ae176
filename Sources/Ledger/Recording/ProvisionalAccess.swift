package import Foundation
package import InAppPurchase

/// Provisional access by receipts that the App Store cannot verify now.
package protocol ProvisionalAccess: Sendable {
    /// Gives access to the purchases of a pending receipt until the App Store has answered, and at most for
    /// ``RecordingContext/provisionalTime`` from when the receipt was recorded. Each purchase is opened in this way
    /// once, for the first account that presents it.
    ///
    /// Idempotent: the same receipt returns the same date.
    ///
    /// - Parameter verified: what the receipt's own signature proves.
    /// - Returns: the end of the access; `nil` if the receipt gives nothing that the account does not have already.
    func openProvisionally(
        _ receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> Date?
}
