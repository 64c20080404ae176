public import Foundation

/// Which manifests were handed out to whom, and whether they have arrived.
public protocol ManifestDeliveries: Sendable {
    /// Records that an account got the manifest. Once for each account and version of a bundle: handed out again within
    /// ``ManifestDelivery/quietTime`` nothing is written, later it is counted. Other files under the same version are to
    /// be confirmed anew.
    ///
    /// - Parameter id: the delivery's, where this is the first time.
    /// - Returns: the delivery's ID.
    func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) async throws -> String

    /// Records that the account has what it was handed out.
    ///
    /// - Parameter sha256: of the manifest that the account has.
    /// - Returns: nil where the account has no delivery of this ID. The second time the first date.
    func confirmDelivery(
        _ id: String, sha256: String, by account: AccountID, at date: Date
    ) async throws -> DeliveryConfirmation?

    /// Manifests handed out the first time until `date`, oldest first.
    ///
    /// - Parameter unconfirmed: only those that did not arrive, nor a later one of the same bundle and account.
    func manifestDeliveries(unconfirmed: Bool, until date: Date, limit: Int) async throws -> [ManifestDelivery]

    /// Bundles bought in Production until `date` and never asked for by who owns the purchase, oldest first.
    func purchasesNeverFetched(until date: Date, limit: Int) async throws -> [UnfetchedPurchase]
}

/// The manifest of one version of a bundle.
public struct IssuedManifest: Hashable, Sendable {
    public var bundle: BundleName
    public var version: String
    /// Of the signed bytes, in lower-case hexadecimal.
    public var sha256: String

    public init(bundle: BundleName, version: String, sha256: String) {
        self.bundle = bundle
        self.version = version
        self.sha256 = sha256
    }
}

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

/// What became of a confirmation.
public enum DeliveryConfirmation: Hashable, Sendable {
    case confirmed(Date)
    /// The account has something else than it was handed out.
    case mismatch
}

/// A bundle that was paid for, and whose manifest was never asked for.
public struct UnfetchedPurchase: Hashable, Sendable {
    public var account: AccountID
    public var bundle: BundleName
    public var product: ProductID
    /// The oldest that opens the bundle.
    public var transaction: Transaction.Key
    /// When it was delivered.
    public var date: Date

    public init(
        account: AccountID, bundle: BundleName, product: ProductID, transaction: Transaction.Key, date: Date
    ) {
        self.account = account
        self.bundle = bundle
        self.product = product
        self.transaction = transaction
        self.date = date
    }
}
