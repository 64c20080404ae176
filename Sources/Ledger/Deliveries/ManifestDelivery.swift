package import InAppPurchase
package import Foundation

/// A manifest that was handed out.
package struct ManifestDelivery: Hashable, Sendable {
    /// A client that asks again so soon is still at the same download.
    package static let quietTime: TimeInterval = 3_600
    /// So many wrong confirmations stand in the audit trail; who sends more shall not fill the disk.
    package static let maximumMismatches = 10

    package var id: String
    package var account: AccountID
    package var manifest: IssuedManifest
    package var firstDate: Date
    package var lastDate: Date
    /// How often it was handed out, not counting again what was asked for within ``quietTime``.
    package var count: Int
    package var confirmedAt: Date?

    package init(
        id: String, account: AccountID, manifest: IssuedManifest, firstDate: Date, lastDate: Date, count: Int,
        confirmedAt: Date?
    ) {
        self.id = id
        self.account = account
        self.manifest = manifest
        self.firstDate = firstDate
        self.lastDate = lastDate
        self.count = count
        self.confirmedAt = confirmedAt
    }
}
