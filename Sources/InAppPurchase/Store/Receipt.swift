public import Foundation

/// A proof of purchase as a client sent it.
public struct Receipt: Sendable {
    /// The format of a receipt.
    public enum Kind: String, Codable, Sendable {
        /// A JWS signed by the App Store (StoreKit 2).
        case signedTransaction
        /// The app's PKCS#7 file (StoreKit 1, iOS 7 and later), in base64.
        case appReceipt
        /// The property list of a single transaction (iOS 6 style), in base64.
        case transactionReceipt
        /// A transaction ID of the App Store: decimal digits. A string of digits only can be nothing else: no ID of
        /// another store may ever consist of digits only.
        case transactionID
    }

    /// The receipt's identifier: `r_` and 128 random bits.
    public var id: String
    /// The account that sent the receipt.
    public var account: AccountID
    /// The format of ``content``.
    public var kind: Kind
    /// The characters that the client sent, without surrounding white space and whatever other libraries wrap around a
    /// receipt.
    public var content: String
    /// SHA-256 of the receipt's bytes: of those that ``content`` encodes in base64, otherwise of its characters.
    /// Account and digest together identify a receipt that was sent before, however it was encoded.
    public var digest: Data
    /// SHA-256 of ``content``; `nil` if that is ``digest``. Earlier versions identified every receipt by it, so a
    /// ledger looks for both. The audit trail records this hash.
    public var textDigest: Data?
    /// The app that the client named; a hint, never trusted. `nil` if it named none.
    public var bundleID: BundleID?
    /// The sender's IP address as a string, for IPv6 its /64; `nil` if it is not known. The bytes of stored receipts
    /// are counted per address. A ledger stores the SHA-256 of it, and only while the receipt is pending.
    public var address: String?
    /// Whether a purchase that another account owns may be transferred to ``account``. `false` if the app sent the
    /// receipt by itself, without asking the player.
    public var mayTransfer: Bool
    /// Whether the receipt was found to be made for the device that a request with it named. Stored with a pending
    /// receipt, since the device's identifier is not stored.
    public var isForDevice: Bool
    /// The served app that the receipt itself, or the client, names; decides nothing. Receipts that wait for the App
    /// Store get their turn app by app. `nil` if it names none, or one that is not served.
    package var app: BundleID?

    public init(
        id: String, account: AccountID, kind: Kind, content: String, digest: Data, textDigest: Data? = nil,
        bundleID: BundleID? = nil, address: String? = nil, mayTransfer: Bool = true, isForDevice: Bool = false
    ) {
        self.address = address
        self.id = id
        self.account = account
        self.kind = kind
        self.content = content
        self.digest = digest
        self.textDigest = textDigest
        self.bundleID = bundleID
        self.mayTransfer = mayTransfer
        self.isForDevice = isForDevice
    }
}
