public import Foundation

/// A manifest that was handed out.
public struct ManifestDelivery: Hashable, Sendable {
    /// A client that asks again so soon is still at the same download.
    public static let quietTime: TimeInterval = 3_600
    /// So many wrong confirmations stand in the audit trail; who sends more shall not fill the disk.
    public static let maximumMismatches = 10

    public var id: String
    public var account: AccountID
    public var manifest: IssuedManifest
    public var firstDate: Date
    public var lastDate: Date
    /// How often it was handed out, not counting again what was asked for within ``quietTime``.
    public var count: Int
    public var confirmedAt: Date?

    public init(
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
