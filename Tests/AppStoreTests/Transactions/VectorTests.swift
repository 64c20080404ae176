import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Data that the store, Apple's libraries and others really made, if the environment variable `QUARTERMASTER_VECTORS`
/// names the folder that has it.
@Suite(.enabled(if: Vectors.folder != nil, "QUARTERMASTER_VECTORS names no folder")) struct VectorTests {
    // MARK: genuine

    static let genuine = "genuine/sandbox-consumable-JPY-transaction.jws"
    static let signed = Date(timeIntervalSince1970: 1_739_161_772.561)

    private func verify(
        _ jws: String, by verifier: SignedTransactionVerifier, app: BundleID, at now: Date
    ) async throws -> InAppPurchase.Transaction {
        try await verifier.verify(jws, apps: [app], expecting: app, at: now)
    }

    /// At its signing time, and years later.
    @Test(arguments: [signed, Date(timeIntervalSince1970: 1_795_210_620), Date(timeIntervalSince1970: 4_000_000_000)])
    func `A genuine transaction is verified at its signing and years later`(_ now: Date) async throws {
        let verifier = SignedTransactionVerifier(anchors: try .apple())
        let transaction = try await verify(
            try Vectors.text(Self.genuine), by: verifier, app: "com.goodheartapp", at: now)
        var details = PurchaseDetails()
        (details.price, details.currency, details.reason) = (230_000, "JPY", "PURCHASE")
        (details.storefront, details.storefrontID) = ("JPN", "143462")
        #expect(
            transaction
                == Transaction(
                    id: "2000000847061981", originalID: "2000000847061981", app: "com.goodheartapp",
                    environment: .sandbox, productID: "gh_super_good_ticket_1", productType: .consumable, quantity: 1,
                    purchaseDate: Date(timeIntervalSince1970: 1_738_645_560),
                    originalPurchaseDate: Date(timeIntervalSince1970: 1_738_645_560), details: details,
                    signedDate: Date(milliseconds: 1_739_161_772_561), isSigned: true))
    }

    @Test func `A genuine transaction with a changed character is refused`() async throws {
        let verifier = SignedTransactionVerifier(anchors: try .apple())
        let jws = Array(try Vectors.text(Self.genuine).utf8)
        for position in jws.indices {
            var changed = jws
            changed[position] = changed[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: changed, as: UTF8.self)
            await #expect(throws: ReceiptRejection.self, "position \(position)") {
                try await verify(text, by: verifier, app: "com.goodheartapp", at: Self.signed)
            }
        }
    }

    @Test func `A genuine transaction seen too early, or for another app, is refused`() async throws {
        let verifier = SignedTransactionVerifier(anchors: try .apple())
        let jws = try Vectors.text(Self.genuine)
        await #expect(throws: ReceiptRejection(.malformed)) {
            try await verify(jws, by: verifier, app: "com.goodheartapp", at: Self.signed - 301)
        }
        await #expect(throws: ReceiptRejection(.bundleID)) {
            try await verify(jws, by: verifier, app: "com.example", at: Self.signed)
        }
    }

    // MARK: certificates

    @Test(
        arguments: [
            ("chain-test-leaf", "chain-test-intermediate", "chain-test-root", 1_761_962_975, nil),
            ("chain-test-leaf-invalid-oid", "chain-test-intermediate", "chain-test-root", 1_761_962_975, .chain),
            (
                "chain-test-leaf-for-invalid-oid-intermediate", "chain-test-intermediate-invalid-oid",
                "chain-test-root",
                1_761_962_975, .chain
            ),
            ("chain-test-leaf", "chain-test-intermediate", "chain-test-root", 2_280_946_846, .expiredCertificate),
            ("chain-test-leaf", "chain-test-intermediate", "real-apple-root-g3", 1_761_962_975, .chain),
            ("real-apple-jws-leaf-2025", "real-apple-wwdr-g6", "real-apple-root-g3", 1_795_210_620, nil),
            (
                "real-apple-jws-leaf-2025", "real-apple-wwdr-g6", "real-apple-root-g3", 1_830_000_000,
                .expiredCertificate
            ),
            ("real-apple-jws-leaf-2025", "real-apple-wwdr-g6", "chain-test-root", 1_795_210_620, .chain),
        ] as [(String, String, String, TimeInterval, ReceiptRejection.Reason?)])
    func `The certificate chains of Apple's libraries are verified or refused`(
        _ leaf: String, _ intermediate: String, _ root: String, _ time: TimeInterval, _ reason: ReceiptRejection.Reason?
    ) async throws {
        func der(_ name: String) throws -> Data { try Vectors.data("apple-library/chain_test_certs/\(name).der") }
        let anchors = try TrustAnchors(signedDataRoots: [der(root)], receiptRoots: [])
        let verifier = SigningChainVerifier<P256.Signing.PublicKey>(roots: anchors.signedDataRoots)
        let (leaf, intermediate) = try (der(leaf), der(intermediate))
        do {
            _ = try await verifier.key(
                leaf: leaf, intermediate: intermediate, at: Date(timeIntervalSince1970: time), now: .t0)
            #expect(reason == nil)
        } catch let error as ReceiptRejection {
            #expect(error.reason == reason)
        }
    }

    // MARK: made by others

    private static let mock = "apple-library/mock_signed_data"
    private static let mockRoot = "apple-library/certs/testCA.der"
    private static let own = "synthetic/generated"

    /// Without a reason it is verified. `unsupported`: chain and signature are good, and it is no transaction.
    @Test(
        arguments: [
            ("\(mock)/transactionInfo", mockRoot, .unsupported), ("\(mock)/renewalInfo", mockRoot, .unsupported),
            ("\(mock)/testNotification", mockRoot, .unsupported), ("\(mock)/wrongBundleId", mockRoot, .unsupported),
            ("\(mock)/missingX5CHeaderClaim", mockRoot, .malformed),
            ("\(mock)/legacyTransaction", mockRoot, .malformed),
            ("\(mock)/transactionInfo", "apple-certs/AppleRootCA-G3.cer", .chain),
            ("apple-library/xcode/xcode-signed-transaction", mockRoot, .environment),
            ("apple-library/xcode/xcode-signed-renewal-info", mockRoot, .environment),
            ("apple-library/xcode/xcode-signed-app-transaction", mockRoot, .environment),
            ("\(own)/transaction.jws", "\(own)/jws-root.der", nil),
            ("\(own)/app-transaction.jws", "\(own)/jws-root.der", .unsupported),
            ("\(own)/app-transaction-production.jws", "\(own)/jws-root.der", .unsupported),
            ("\(own)/expired-cert-historical.jws", "\(own)/jws-expired-root.der", nil),
            ("\(own)/expired-cert-fresh.jws", "\(own)/jws-expired-root.der", .expiredCertificate),
            ("\(own)/transaction-no-leaf-oid.jws", "\(own)/jws-no-leaf-oid-root.der", .chain),
            ("\(own)/transaction-no-intermediate-oid.jws", "\(own)/jws-no-intermediate-oid-root.der", .chain),
        ] as [(String, String, ReceiptRejection.Reason?)])
    func `Signed data of other makers is verified or refused with its reason`(
        _ path: String, _ root: String, _ reason: ReceiptRejection.Reason?
    ) async throws {
        let anchors = try TrustAnchors(signedDataRoots: [try Vectors.data(root)], receiptRoots: [])
        let jws = try Vectors.text(path)
        do {
            let transaction = try await SignedTransactionVerifier(anchors: anchors)
                .verify(jws, apps: ["com.example.app"], at: .t0)
            #expect(reason == nil)
            #expect(transaction.id == "2000000000000001")
            #expect(transaction.productID == "com.example.app.pro")
            #expect(transaction.productType == .nonConsumable)
        } catch let error as ReceiptRejection {
            #expect(error.reason == reason)
        }
    }

    @Test(arguments: [
        ("genuine/sandbox-consumable-JPY-transaction.jws", Receipt.Kind.signedTransaction),
        ("genuine/purchasing_experiments_sandbox_receipt.b64", .appReceipt),
        ("genuine/receipt-xcode-with-purchases.b64", .appReceipt),
        ("apple-library/mock_signed_data/legacyTransaction", .transactionReceipt),
        ("apple-library/xcode/xcode-app-receipt-empty", .appReceipt),
    ])
    func `Genuine receipts are recognized by their kind`(_ path: String, _ kind: Receipt.Kind) throws {
        #expect(Receipt.Kind(of: try Vectors.text(path)) == kind)
    }
}

enum Vectors {
    static let folder = ProcessInfo.processInfo.environment["QUARTERMASTER_VECTORS"]

    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: try #require(folder)).appending(path: path))
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try data(path), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
