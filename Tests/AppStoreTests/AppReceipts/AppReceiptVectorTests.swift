import CryptoExtras
import Foundation
import InAppPurchase
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import AppStore

/// App receipts that the store, Xcode and others really made.
@Suite(.enabled(if: Vectors.folder != nil, "QUARTERMASTER_VECTORS names no folder")) struct AppReceiptVectorTests {
    static let genuine = "genuine/purchasing_experiments_sandbox_receipt.b64"
    static let device = Data(base64Encoded: "5hgQmGLdQz+7lGddOBXSYw==")
    static let made = Date(timeIntervalSince1970: 1_677_076_215)

    @Test(arguments: [made, Date(timeIntervalSince1970: 1_795_210_620), Date(timeIntervalSince1970: 4_000_000_000)])
    func `A genuine app receipt of the sandbox is verified at any time`(_ now: Date) async throws {
        let device: Data = try #require(Self.device)
        let answer = try await AppReceiptVerifier(anchors: .apple())
            .verify(Vectors.text(Self.genuine), device: device, at: now)
        #expect(answer.bundleID == "com.hannesoid.PurchasingExperiments")
        #expect(answer.environment == .sandbox && answer.appAppleID == nil)
        let first = try #require(answer.receipt.transactions.first { $0.id == "2000000284164152" })
        var details = PurchaseDetails()
        (details.isTrialPeriod, details.originalAppVersion, details.appVersion) = (false, "1.0", "1")
        #expect(
            first
                == Transaction(
                    id: "2000000284164152", originalID: "2000000284164152", app: answer.bundleID, environment: .sandbox,
                    productID: "com.hannesoid.PurchasingExperiments.oneTime", purchaseDate: Self.made - 55,
                    originalPurchaseDate: Self.made - 55, details: details, signedDate: Self.made, isSigned: false))
        #expect(answer.receipt.transactions.count == 2)
    }

    @Test func `A genuine app receipt is refused too early, on another device and when changed`() async throws {
        let verifier = AppReceiptVerifier(anchors: try .apple())
        let receipt = try Vectors.text(Self.genuine)
        await #expect(throws: ReceiptRejection(.malformed)) { try await verifier.verify(receipt, at: Self.made - 301) }
        await #expect(throws: ReceiptRejection(.otherDevice)) {
            try await verifier.verify(receipt, device: Data([1]), at: Self.made)
        }
        let data = try #require(Data(receiptBase64: receipt))
        let content = try SignedDataMessage(berEncoded: Array(data)).content
        let range = try #require(data.firstRange(of: content))
        for position in range {
            var changed = data
            changed[position] ^= 0x01
            await #expect(throws: ReceiptRejection.self, "position \(position)") {
                try await verifier.verify(changed.base64EncodedString(), at: Self.made + 86_400)
            }
        }
    }

    @Test(arguments: ["genuine/receipt-xcode-with-purchases.b64", "apple-library/xcode/xcode-app-receipt-empty"])
    func `A genuine app receipt of Xcode is refused by its environment`(_ path: String) async throws {
        let receipt = try Vectors.text(path)
        let message = try SignedDataMessage(berEncoded: Array(try #require(Data(receiptBase64: receipt))))
        #expect(try AppReceipt(content: message.content).type == "Xcode")
        let verifier = AppReceiptVerifier(anchors: try .apple())
        await #expect(throws: ReceiptRejection(.environment)) { try await verifier.verify(receipt, at: .t0) }
    }

    /// Their intermediates lack the marker that the store's have, so none is accepted; but the signatures are good, and
    /// the content is read.
    @Test(arguments: [
        ("receipt", "ProductionSandbox"), ("receipt-double-wrapped", "ProductionSandbox"),
        ("receipt-type-production", "Production"), ("receipt-type-vpp", "ProductionVPP"),
        ("receipt-type-vpp-sandbox", "ProductionVPPSandbox"), ("receipt-no-type", nil),
        ("receipt-no-signer-oid", "ProductionSandbox"),
    ])
    func `App receipts of other makers are read and their signatures checked`(_ name: String, _ type: String?)
        async throws
    {
        let file = try Vectors.data("synthetic/generated/\(name).der")
        let message = try SignedDataMessage(berEncoded: Array(file))
        let receipt = try AppReceipt(content: message.content)
        #expect(receipt.bundleID == "com.example.app")
        #expect(receipt.type == type)
        #expect(receipt.creationDate == Date(timeIntervalSince1970: 1_722_945_600))
        let certificates = try message.certificates.map { try Certificate(derEncoded: $0) }
        let leaf = try #require(certificates.first { message.signer.isBy($0) })
        let key = try #require(_RSA.Signing.PublicKey(leaf.publicKey))
        #expect(message.signer.isValidSignature(of: message.content, by: key))
        #expect(!message.signer.isValidSignature(of: message.content + [0], by: key))
        let root = try Vectors.data("synthetic/generated/receipt-root.der")
        let verifier = AppReceiptVerifier(anchors: try TrustAnchors(signedDataRoots: [], receiptRoots: [root]))
        await #expect(throws: ReceiptRejection(.chain)) {
            try await verifier.verify(file.base64EncodedString(), at: .t0)
        }
    }

    @Test func `The device hash of an app receipt of another maker is checked`() throws {
        let message = try SignedDataMessage(berEncoded: Array(try Vectors.data("synthetic/generated/receipt.der")))
        let receipt = try AppReceipt(content: message.content)
        let hex = Array(try Vectors.text("synthetic/generated/device-guid.hex"))
        let device = Data(
            stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(hex[$0...$0 + 1]), radix: 16) })
        #expect(throws: Never.self) { try receipt.check(device: device) }
        #expect(throws: ReceiptRejection(.otherDevice)) { try receipt.check(device: Data(device.reversed())) }
        #expect(receipt.purchases.map(\.productID).sorted() == ["com.example.app.coins100", "com.example.app.vip"])
    }
}
