import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Data that Xcode itself made.
@Suite(.enabled(if: Vectors.folder != nil, "QUARTERMASTER_VECTORS names no folder")) struct XcodeVectorTests {
    static let app: BundleID = "com.example.naturelab.backyardbirds.example"

    private func certificate(of jws: String) throws -> Data {
        try XcodeJWS(jws, maximumSize: SignedTransactionVerifier.maximumSize).certificate
    }

    @Test func `Genuine signed data of Xcode is verified by its certificate only`() async throws {
        let catalog = try JSONDecoder().decode(
            Catalog.self, from: Data(#"{"apps": [{"bundleID": "\#(Self.app)", "products": []}]}"#.utf8),
            configuration: [])
        for name in ["transaction", "app-transaction"] {
            let jws = try Vectors.text("apple-library/xcode/xcode-signed-\(name)")
            let anchors = try TrustAnchors(
                signedDataRoots: [], receiptRoots: [], xcodeCertificates: [Self.app: [certificate(of: jws)]])
            _ = try await SignedTransactionVerifier(anchors: anchors).receipt(jws, catalog: catalog, at: .t0)
            await #expect(throws: ReceiptRejection(.environment)) {
                try await SignedTransactionVerifier(anchors: .apple()).receipt(jws, catalog: catalog, at: .t0)
            }
        }
    }

    @Test func `Genuine renewal info of Xcode is verified`() async throws {
        let jws = try Vectors.text("apple-library/xcode/xcode-signed-renewal-info")
        let anchors = try TrustAnchors(
            signedDataRoots: [], receiptRoots: [], xcodeCertificates: [Self.app: [certificate(of: jws)]])
        let info = try await SignedTransactionVerifier(anchors: anchors).verifyRenewalInfo(jws, of: Self.app, at: .t0)
        #expect(info.originalTransactionID == "0" && info.facts.willAutoRenew == true)
    }

    @Test(arguments: [
        "genuine/receipt-xcode-with-purchases.b64", "apple-library/xcode/xcode-app-receipt-empty",
        "apple-library/xcode/xcode-app-receipt-with-transaction",
    ])
    func `Genuine app receipts of Xcode are verified by their certificate only`(_ path: String) async throws {
        let receipt = try Vectors.text(path)
        let message = try SignedDataMessage(berEncoded: Array(try #require(Data(receiptBase64: receipt))))
        let app = try AppReceipt(content: message.content).bundleID
        let certificate = try Vectors.data("genuine/StoreKitTestCertificate.cer")
        let anchors = try TrustAnchors(signedDataRoots: [], receiptRoots: [], xcodeCertificates: [app: [certificate]])
        let answer = try await AppReceiptVerifier(anchors: anchors).verify(receipt, at: .t0)
        #expect(answer.environment == .xcode && answer.bundleID == app)
        await #expect(throws: ReceiptRejection(.environment)) {
            try await AppReceiptVerifier(anchors: .apple()).verify(receipt, at: .t0)
        }
    }
}
