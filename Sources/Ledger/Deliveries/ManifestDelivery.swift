package import Foundation
package import InAppPurchase

/// The delivery of an issued manifest.
package struct ManifestDelivery: Hashable, Sendable {
    /// The time in seconds within which another request for the same manifest counts as part of the same download.
    package static let quietTime: TimeInterval = 3_600
    /// The maximum number of mismatches in the audit trail for one delivery, so that repeated wrong confirmations do
    /// not fill the disk.
    package static let maximumMismatches = 10

    package var id: String
    package var account: AccountID
    package var manifest: IssuedManifest
    package var firstDate: Date
    package var lastDate: Date
    /// The number of times it was issued; repetitions within ``quietTime`` are not counted.
    package var count: Int
    package var confirmedAt: Date?
    /// The purchase in Production that gave access to the bundle last; `nil` if none did.
    package var paidBy: Transaction.Key?

    package init(
        id: String, account: AccountID, manifest: IssuedManifest, firstDate: Date, lastDate: Date, count: Int,
        confirmedAt: Date?, paidBy: Transaction.Key? = nil
    ) {
        self.id = id
        self.account = account
        self.manifest = manifest
        self.firstDate = firstDate
        self.lastDate = lastDate
        self.count = count
        self.confirmedAt = confirmedAt
        self.paidBy = paidBy
    }
}
