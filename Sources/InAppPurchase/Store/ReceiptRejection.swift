/// The rejection of a receipt: it is no proof of purchase, and will not become one.
public struct ReceiptRejection: Error, Hashable, Sendable {
    /// The reason for a rejection.
    public enum Reason: String, CaseIterable, Codable, Sendable {
        /// The receipt cannot be read in any known format.
        case malformed
        /// The signature does not verify with the key of the signer's certificate.
        case signature
        /// The certificate chain does not lead to a trusted root, or the certificates are not for signing receipts.
        case chain
        /// A certificate was not valid when the receipt was signed.
        case expiredCertificate
        /// The receipt is for an app that is not in the catalog, or not for the app that the client named.
        case bundleID
        /// The app has another number in the App Store than the catalog says.
        case appAppleID
        /// The receipt is for an environment that is not served.
        case environment
        /// The App Store knows no such purchase.
        case notFound
        /// The receipt's format is not accepted (yet).
        case unsupported
        /// The app receipt was made for another device than the one that the request names: phones restored from a
        /// backup send such receipts.
        case otherDevice
    }

    /// The reason, which the client is told. Rejections with the same reason are equal.
    public var reason: Reason
    /// Details for the operator's log; never holds a part of the receipt.
    public var detail: String

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    public static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }

    public func hash(into hasher: inout Hasher) { hasher.combine(reason) }
}
