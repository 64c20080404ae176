public import Foundation
public import InAppPurchase
import SwiftASN1
public import X509

/// The root certificates whose word is taken. Nothing that a message carries adds to them.
public struct TrustAnchors: Sendable {
    /// For signed transactions, renewal info and notifications (JWS).
    public private(set) var signedDataRoots: [Certificate]
    /// For app receipts (PKCS#7).
    public private(set) var receiptRoots: [Certificate]
    /// Certificates (DER) that Xcode's StoreKit testing signs with, by the app of whose environment `Xcode` the very
    /// certificate vouches, and of nothing else. Nobody watches over their keys, so there is none by default.
    public private(set) var xcodeCertificates: [BundleID: Set<Data>]

    /// - Parameters:
    ///   - signedDataRoots: certificates in DER, such as the simulator's ECDSA root.
    ///   - receiptRoots: certificates in DER, such as the simulator's RSA root.
    ///   - xcodeCertificates: certificates in DER; an app has one for signed data (EC), one for app receipts (RSA).
    /// - Throws: the error of X509 or SwiftASN1 for what is no certificate.
    public init(
        signedDataRoots: [Data], receiptRoots: [Data], xcodeCertificates: [BundleID: [Data]] = [:]
    ) throws {
        self.signedDataRoots = try signedDataRoots.map { try Certificate(derEncoded: Array($0)) }
        self.receiptRoots = try receiptRoots.map { try Certificate(derEncoded: Array($0)) }
        for der in xcodeCertificates.values.joined() { _ = try Certificate(derEncoded: Array(der)) }
        self.xcodeCertificates = xcodeCertificates.mapValues(Set.init)
    }

    /// Apple's: Apple Root CA - G3 for signed data, Apple Inc. Root for receipts.
    ///
    /// - Throws: never, as long as the compiled-in certificates are what the tests found them to be.
    public static func apple() throws -> TrustAnchors {
        try TrustAnchors(signedDataRoots: [der(AppleRoots.g3)], receiptRoots: [der(AppleRoots.incRoot)])
    }

    /// These anchors and others, for instance from configuration. An anchor that is there already does no harm.
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
