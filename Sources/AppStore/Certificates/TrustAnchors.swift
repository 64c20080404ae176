public import Foundation
public import InAppPurchase
import SwiftASN1
public import X509

/// The trusted root certificates. Nothing in a message adds to them.
public struct TrustAnchors: Sendable {
    /// The roots for signed transactions, renewal info and notifications (JWS).
    public private(set) var signedDataRoots: [Certificate]
    /// The roots for app receipts (PKCS#7).
    public private(set) var receiptRoots: [Certificate]
    /// The certificates (DER) of Xcode's StoreKit testing by app. Each is trusted as it is, for data of that app in the
    /// environment `Xcode` alone. Their private keys are not protected, so there are none by default.
    public private(set) var xcodeCertificates: [BundleID: Set<Data>]

    /// Creates trust anchors.
    ///
    /// - Parameters:
    ///   - signedDataRoots: certificates in DER, such as the simulator's ECDSA root.
    ///   - receiptRoots: certificates in DER, such as the simulator's RSA root.
    ///   - xcodeCertificates: certificates in DER; an app has one for signed data (EC), one for app receipts (RSA).
    /// - Throws: the error of X509 or SwiftASN1 for invalid certificates.
    public init(
        signedDataRoots: [Data], receiptRoots: [Data], xcodeCertificates: [BundleID: [Data]] = [:]
    ) throws {
        self.signedDataRoots = try signedDataRoots.map { try Certificate(derEncoded: Array($0)) }
        self.receiptRoots = try receiptRoots.map { try Certificate(derEncoded: Array($0)) }
        for der in xcodeCertificates.values.joined() { _ = try Certificate(derEncoded: Array(der)) }
        self.xcodeCertificates = xcodeCertificates.mapValues(Set.init)
    }

    /// Apple's roots: Apple Root CA - G3 for signed data, Apple Inc. Root for receipts.
    ///
    /// - Throws: never, as long as the compiled-in certificates are those that the tests check.
    public static func apple() throws -> TrustAnchors {
        try TrustAnchors(signedDataRoots: [der(AppleRoots.g3)], receiptRoots: [der(AppleRoots.incRoot)])
    }

    /// These anchors together with others, for instance from the configuration. Duplicates are harmless.
    public func adding(_ others: TrustAnchors) -> TrustAnchors {
        var all = self
        all.signedDataRoots += others.signedDataRoots
        all.receiptRoots += others.receiptRoots
        all.xcodeCertificates.merge(others.xcodeCertificates) { $0.union($1) }
        return all
    }

    private static func der(_ base64: String) throws -> Data {
        guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return data
    }
}
