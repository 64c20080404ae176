public import Foundation

/// What a client sends as proof of purchase, as it came.
public struct Receipt: Sendable {
    public enum Kind: String, Codable, Sendable {
        /// A JWS that the store signed (StoreKit 2).
        case signedTransaction
        /// The PKCS#7 file of the app (StoreKit 1, iOS 7 and later), in base64.
        case appReceipt
        /// A single transaction's property list (iOS 6 style), in base64.
        case transactionReceipt
        /// Decimal digits.
        case transactionID
    }

    /// `r_` and 128 random bits.
    public var id: String
    public var account: AccountID
    public var kind: Kind
    /// The characters that the client sent, without white space at the ends and what others wrap around a receipt.
    public var content: String
    /// SHA-256 of ``content``. With the account it tells whether the very same receipt was seen before.
    public var digest: Data
    /// The client's word for the app; a hint, never trusted.
    public var bundleID: BundleID?
    /// The address that sent it, of IPv6 its /64, as text; nil if it is not known. The bytes that are kept are counted
    /// for it. A ledger stores its SHA-256, and only while the receipt waits.
    public var address: String?
    /// Whether what another account owns may move to ``account``. False: the app presents by itself, and nobody asked
    /// the player.
    public var mayTransfer: Bool
    /// Whether the bytes were found to be made for the device that a request with them named. Kept with a receipt that
    /// waits for the App Store, since the device's ID is not.
    public var isForDevice: Bool

    public init(
        id: String, account: AccountID, kind: Kind, content: String, digest: Data, bundleID: BundleID? = nil,
        address: String? = nil, mayTransfer: Bool = true, isForDevice: Bool = false
    ) {
        self.address = address
        self.id = id
        self.account = account
        self.kind = kind
        self.content = content
        self.digest = digest
        self.bundleID = bundleID
        self.mayTransfer = mayTransfer
        self.isForDevice = isForDevice
    }
}
