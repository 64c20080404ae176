import Crypto
import Foundation
import InAppPurchase
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import AppStore

/// Data signed by Xcode's StoreKit testing is believed only for the app whose configuration names the very certificate.
@Suite struct XcodeTests {
    static let app: BundleID = "com.example.hangman"
    static let catalog = try? JSONDecoder().decode(
        Catalog.self, from: Data(StoreAnswerTests.catalog.utf8), configuration: [])

    /// As Xcode writes it: fractions of milliseconds, counted IDs.
    static let transaction = subscription.with([
        "transactionId": "0", "originalTransactionId": "0", "environment": "Xcode",
        "purchaseDate": 1_795_210_619_049.7297, "signedDate": 1_795_210_620_000.4, "expiresDate": 1_795_220_620_000.5,
        "originalPurchaseDate": -62_135_769_600_000,
    ])

    let key = P256.Signing.PrivateKey()
    let certificate: Data
    let verifier: SignedTransactionVerifier

    init() throws {
        certificate = try Issuer(name: "StoreKit Testing in Xcode", key: .init(key), algorithm: .ecdsaWithSHA256)
            .certificate(
                "StoreKit Testing in Xcode", .init(key.publicKey), isAuthority: false, usage: nil, notAfter: .t0 - 1
            ).der
        verifier = SignedTransactionVerifier(anchors: try Self.anchors([Self.app: [certificate]]))
    }

    private static func anchors(_ certificates: [BundleID: [Data]]) throws -> TrustAnchors {
        try TrustAnchors(signedDataRoots: [], receiptRoots: [], xcodeCertificates: certificates)
    }

    private func jws(
        _ payload: JSONValue, header: [String: JSONValue?] = [:], by other: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let usual: JSONValue = [
            "alg": "ES256", "kid": "Apple_Xcode_Key", "typ": "JWT", "x5c": [.string(certificate.base64EncodedString())],
        ]
        return try SigningAuthority().jws(payload, header: usual.with(header), key: other ?? key)
    }

    private func verify(_ jws: String, _ verifier: SignedTransactionVerifier? = nil) async throws -> SignedReceipt {
        try await (verifier ?? self.verifier).receipt(jws, catalog: #require(Self.catalog), at: .t0)
    }

    @Test func `A transaction of Xcode is verified by the configured certificate`() async throws {
        guard case .transaction(let transaction, _) = try await verify(jws(Self.transaction)) else {
            Issue.record("no transaction")
            return
        }
        #expect(transaction.environment == .xcode && transaction.id == "0@0" && transaction.id.stated == "0")
        #expect(transaction.purchaseDate == Date(milliseconds: 1_795_210_619_050))
        #expect(transaction.originalPurchaseDate == Date(milliseconds: 0))
    }

    @Test func `An app transaction of Xcode is verified`() async throws {
        let payload = NotificationMaker.appTransaction.with([
            "receiptType": "Xcode", "originalPurchaseDate": -62_135_769_600_000, "appAppleId": nil,
            "versionExternalIdentifier": 812_345_678,
        ])
        let receipt = try await verify(jws(payload))
        guard case .appTransaction(let transaction) = receipt else {
            Issue.record("no app transaction")
            return
        }
        #expect(transaction.appVersion == AppVersion(app: Self.app, text: "1.2", externalID: 812_345_678))
        #expect(receipt.receipt.appVersion == transaction.appVersion)
        #expect(transaction.environment == .xcode)
    }

    /// It names no app itself.
    @Test func `Renewal info of Xcode is verified for the configured app only`() async throws {
        let jws = try jws(SignedRenewalInfoTests.info.with(["environment": "Xcode", "originalTransactionId": "0"]))
        #expect(try await verifier.verifyRenewalInfo(jws, of: Self.app, at: .t0).environment == .xcode)
        for app: BundleID? in [nil, "com.example.nonumber"] {
            await #expect(throws: ReceiptRejection(.environment)) {
                try await verifier.verifyRenewalInfo(jws, of: app, at: .t0)
            }
        }
    }

    @Test func `No certificate of Xcode is configured by default`() async throws {
        #expect(try TrustAnchors.apple().xcodeCertificates.isEmpty)
        let jws = try jws(Self.transaction)
        let authority = try SigningAuthority()
        for verifier in [
            SignedTransactionVerifier(anchors: try .apple()), try authority.verifier,
            SignedTransactionVerifier(
                signedData: SignedDataVerifier(anchors: try Self.anchors([Self.app: [certificate]]))),
            SignedTransactionVerifier(anchors: try Self.anchors(["com.example.nonumber": [certificate]])),
        ] { await #expect(throws: ReceiptRejection(.environment)) { try await verify(jws, verifier) } }
    }

    @Test(arguments: ["Production", "Sandbox", "LocalTesting", "", nil] as [String?])
    func `A certificate of Xcode never vouches for the store`(_ environment: String?) async throws {
        let jws = try jws(Self.transaction.with(["environment": environment.map(JSONValue.string)]))
        await #expect(throws: ReceiptRejection(.environment)) { try await verify(jws) }
    }

    @Test(
        arguments: [
            (["bundleId": "com.example.nonumber"], ReceiptRejection.Reason.environment),
            (["bundleId": nil], .environment), (["bundleId": 7], .malformed),
            (["signedDate": "yesterday"], .malformed), (["purchaseDate": 1e300], .malformed),
            (["purchaseDate": "yesterday"], .unsupported), (["transactionId": 0], .unsupported),
            (["transactionId": nil], .unsupported),
        ] as [([String: JSONValue?], ReceiptRejection.Reason)])
    func `Wrong payloads signed by Xcode are refused`(_ change: [String: JSONValue?], _ reason: ReceiptRejection.Reason)
        async throws
    {
        let jws = try jws(Self.transaction.with(change))
        await #expect(throws: ReceiptRejection(reason)) { try await verify(jws) }
    }

    @Test(
        arguments: [
            (["kid": "Apple_Xcode_Key2"], ReceiptRejection.Reason.chain), (["kid": nil], .chain),
            (["x5c": []], .chain), (["crit": ["b64"]], .malformed), (["alg": "none"], .signature),
            (["x5c": ["AAAA"]], .chain),
        ] as [([String: JSONValue?], ReceiptRejection.Reason)])
    func `Wrong headers of Xcode are refused`(_ change: [String: JSONValue?], _ reason: ReceiptRejection.Reason)
        async throws
    {
        let jws = try jws(Self.transaction, header: change)
        await #expect(throws: ReceiptRejection(reason)) { try await verify(jws) }
    }

    @Test func `Forged transactions of Xcode are refused`() async throws {
        let jws = try jws(Self.transaction, by: P256.Signing.PrivateKey())
        await #expect(throws: ReceiptRejection(.signature)) { try await verify(jws) }
    }

    /// Another Xcode's certificate with the same names is no better than a chain of three with the key ID.
    @Test func `A certificate of another Xcode is refused`() async throws {
        let other = try XcodeTests()
        await #expect(throws: ReceiptRejection(.chain)) { try await verify(other.jws(Self.transaction)) }
        let authority = try SigningAuthority()
        let payload = hints.with(["environment": "Xcode"])
        let three = try authority.jws(payload, header: authority.header.with(["kid": "Apple_Xcode_Key"]))
        await #expect(throws: ReceiptRejection(.chain)) { try await verify(three) }
    }

    // MARK: app receipts

    @Test func `An app receipt of Xcode is verified by the configured certificate only`() async throws {
        let authority = try ReceiptAuthority()
        let attributes = AppReceiptMaker.hangman.merging(
            [0: AppReceiptMaker.text("Xcode"), 21: AppReceiptMaker.date("4001-01-01T00:00:00Z")]) { $1 }
        var maker = AppReceiptMaker(attributes: attributes, encoding: .ber, certificates: [authority.leaf])
        let trusting = AppReceiptVerifier(anchors: try Self.anchors([Self.app: [authority.leaf.der]]))
        let receipt = try maker.receipt(by: authority)
        #expect(try await trusting.verify(receipt, at: .t0).environment == .xcode)
        await #expect(throws: ReceiptRejection(.environment)) { try await authority.verifier.verify(receipt, at: .t0) }
        for type in ["Production", "ProductionSandbox"] {
            maker.attributes[0] = AppReceiptMaker.text(type)
            let receipt = try maker.receipt(by: authority)
            await #expect(throws: ReceiptRejection(.chain)) { try await trusting.verify(receipt, at: .t0) }
        }
    }

    @Test func `An app receipt of another Xcode is refused`() async throws {
        let authority = try ReceiptAuthority()
        let attributes = AppReceiptMaker.hangman.merging([0: AppReceiptMaker.text("Xcode")]) { $1 }
        let trusting = AppReceiptVerifier(anchors: try Self.anchors([Self.app: [authority.root.der]]))
        for certificates in [[authority.leaf], [authority.root], [authority.leaf, authority.root], []] {
            let maker = AppReceiptMaker(attributes: attributes, certificates: certificates)
            let receipt = try maker.receipt(by: authority)
            await #expect(throws: ReceiptRejection(.chain)) { try await trusting.verify(receipt, at: .t0) }
        }
    }
}
