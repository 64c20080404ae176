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
