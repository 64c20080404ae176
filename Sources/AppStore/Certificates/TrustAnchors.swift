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
    public init(signedDataRoots: [Data], receiptRoots: [Data], xcodeCertificates: [BundleID: [Data]] = [:]) throws {
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

/// Apple's root certificates, in base64 of DER, as published at apple.com/certificateauthority.
///
/// A test compares their SHA-256 with the published fingerprints.
enum AppleRoots {
    /// Apple Root CA - G3 (EC P-384, until 2039-04-30): the root of signed transactions and notifications.
    static let g3 = """
        MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQL
        DB1BcHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMw
        MTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRp
        ZmljYXRpb24gQXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IA
        BJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqX
        l5dvMVztK517IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8w
        DgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWT
        xnS4at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==
        """

    /// Apple Inc. Root, "Apple Root CA" (RSA 2048, until 2035-02-09): the root of app receipts.
    static let incRoot = """
        MIIEuzCCA6OgAwIBAgIBAjANBgkqhkiG9w0BAQUFADBiMQswCQYDVQQGEwJVUzETMBEGA1UEChMKQXBwbGUgSW5jLjEmMCQGA1UE
        CxMdQXBwbGUgQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkxFjAUBgNVBAMTDUFwcGxlIFJvb3QgQ0EwHhcNMDYwNDI1MjE0MDM2WhcN
        MzUwMjA5MjE0MDM2WjBiMQswCQYDVQQGEwJVUzETMBEGA1UEChMKQXBwbGUgSW5jLjEmMCQGA1UECxMdQXBwbGUgQ2VydGlmaWNh
        dGlvbiBBdXRob3JpdHkxFjAUBgNVBAMTDUFwcGxlIFJvb3QgQ0EwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDkkakJ
        H5HbHkdQ6wXtXnmELes2oldMVeyLGYne+Uts9QerIjAC6Bg++FAJ039BqJj50cpmnCRrEdCju+QbKsMflZ56DKRHi1vUFjczy8QP
        Tc4UadHJGXL1XQ7Vf1+b8iUDulWPTV0N8WQ1IxVLFVkds5T39pyez1C6wVhQZ48ItCD3y6wsIG9wtj8BMIy3Q88PnT3zK0koGsj+
        zrW5DtleHNbLPbU6rfQPDgCSC7EhFi501TwN22IWq6NxkkdTVcGvL0Gz+PvjcM3mo0xFfh9Ma1CWQYnEdGILEINBhzOKgbEwWOxa
        BDKMaLOPHd5lc/9nXmW8Sdh2nzMUZaF3lMktAgMBAAGjggF6MIIBdjAOBgNVHQ8BAf8EBAMCAQYwDwYDVR0TAQH/BAUwAwEB/zAd
        BgNVHQ4EFgQUK9BpR5R2Cf70a40uQKb3R01/CF4wHwYDVR0jBBgwFoAUK9BpR5R2Cf70a40uQKb3R01/CF4wggERBgNVHSAEggEI
        MIIBBDCCAQAGCSqGSIb3Y2QFATCB8jAqBggrBgEFBQcCARYeaHR0cHM6Ly93d3cuYXBwbGUuY29tL2FwcGxlY2EvMIHDBggrBgEF
        BQcCAjCBthqBs1JlbGlhbmNlIG9uIHRoaXMgY2VydGlmaWNhdGUgYnkgYW55IHBhcnR5IGFzc3VtZXMgYWNjZXB0YW5jZSBvZiB0
        aGUgdGhlbiBhcHBsaWNhYmxlIHN0YW5kYXJkIHRlcm1zIGFuZCBjb25kaXRpb25zIG9mIHVzZSwgY2VydGlmaWNhdGUgcG9saWN5
        IGFuZCBjZXJ0aWZpY2F0aW9uIHByYWN0aWNlIHN0YXRlbWVudHMuMA0GCSqGSIb3DQEBBQUAA4IBAQBcNplMLXi37Yyb3PN3m/J2
        0ncwT8EfhYOFG5k9RzfyqZtAjizUsZAS2L70c5vu0mQPy3lPNNiiPvl4/2vIB+x9OYOLUyDTOMSxv5pPCmv/K/xZpwUJfBdAVhEe
        dNO3iyM7R6PVbyTi69G3cN8PReEnyvFteO3ntRcXqNx+IjXKJdXZD9Zr1KIkIxH3oayPc4FgxhtbCS+SsvhESPBgOJ4V9T0mZyCK
        M2r3DYLP3uujL/lTaltkwGMzd/c6ByxW69oPIQ7aunMZT7XZNn/Bh1XZp5m5MkL72NVxnn6hUrcbvZNCJBIqxw8dtk2cXmPIS4AX
        UKqK1drk/NAJBzewdXUh
        """
}
