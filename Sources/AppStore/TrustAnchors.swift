public import Foundation
import SwiftASN1
public import X509

/// The root certificates whose word is taken. Nothing that a message carries adds to them.
public struct TrustAnchors: Sendable {
    /// For signed transactions, renewal info and notifications (JWS).
    public private(set) var signedDataRoots: [Certificate]
    /// For app receipts (PKCS#7).
    public private(set) var receiptRoots: [Certificate]

    /// - Parameters:
    ///   - signedDataRoots: certificates in DER, such as the simulator's ECDSA root.
    ///   - receiptRoots: certificates in DER, such as the simulator's RSA root.
    /// - Throws: the error of X509 or SwiftASN1 for what is no certificate.
    public init(signedDataRoots: [Data], receiptRoots: [Data]) throws {
        self.signedDataRoots = try signedDataRoots.map { try Certificate(derEncoded: Array($0)) }
        self.receiptRoots = try receiptRoots.map { try Certificate(derEncoded: Array($0)) }
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
        return all
    }

    private static func der(_ base64: String) throws -> Data {
        guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return data
    }
}
