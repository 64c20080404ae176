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

/// What the store vouches for: the facts read from a receipt after its signature, or the store's answer, was checked.
public struct VerifiedReceipt: Sendable {
    /// May be empty: a valid app receipt of somebody who bought nothing.
    public var transactions: [Transaction]
    public var renewals: [OriginalTransaction.Key: RenewalFacts]
    /// What the client's bytes prove by themselves; nil if they have no date, and for what the App Store told.
    public var evidence: PresentedEvidence?

    public init(
        transactions: [Transaction], renewals: [OriginalTransaction.Key: RenewalFacts] = [:],
        evidence: PresentedEvidence? = nil
    ) {
        self.transactions = transactions
        self.renewals = renewals
        self.evidence = evidence
    }
}

/// A receipt that is no proof of purchase, and will not become one.
public struct ReceiptRejection: Error, Hashable, Sendable {
    public enum Reason: String, Codable, Sendable {
        /// It cannot be read as any kind of receipt.
        case malformed
        /// The signature is not that of the key that is said to have made it.
        case signature
        /// The certificates do not lead to a root that is trusted, or are not those of the store's receipt signing.
        case chain
        /// A certificate was not valid when the receipt was signed.
        case expiredCertificate
        /// Of an app that is not served here, or not the one the client named.
        case bundleID
        /// The app has another number in the App Store.
        case appAppleID
        /// Of an environment that is not served.
        case environment
        /// The store knows no such purchase.
        case notFound
        /// A kind of receipt that is not taken (yet).
        case unsupported
        /// An app receipt that was made for another device than the request names: phones that were restored from a
        /// backup send such receipts.
        case otherDevice
    }

    public var reason: Reason
    /// For the operator's log; never holds a part of the receipt.
    public var detail: String

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    public static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }

    public func hash(into hasher: inout Hasher) { hasher.combine(reason) }
}

extension ReceiptRejection.Reason {
    /// Whether the app should finish the transaction: nothing will ever come of this receipt. Where a setting of this
    /// server or a later version of it may still accept the receipt, the app keeps it.
    public var isFinal: Bool {
        switch self {
        case .malformed, .signature, .chain, .expiredCertificate, .notFound: true
        case .bundleID, .appAppleID, .environment, .unsupported, .otherDevice: false
        }
    }
}
