import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Every field in the data of others is stored, or is in the lists of ``KeptFactsTests`` with the reason why not.
@Suite(.enabled(if: Vectors.folder != nil, "QUARTERMASTER_VECTORS names no folder")) struct KeptFieldVectorTests {
    private static func payload(of jws: String) throws -> [String: JSONValue] {
        let part = try #require(jws.split(separator: ".").dropFirst().first)
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return try members(try #require(Data(base64Encoded: base64 + padding)))
    }

    private static func members(_ data: Data) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: data) else { return [:] }
        return members
    }

    /// Compares each member with what was read of it; returns the number of members compared.
    private static func compare(
        _ members: [String: JSONValue], with read: [String: String?], notKept: Set<String>, in vector: String
    ) -> Int {
        var compared = 0
        for (name, value) in members where !notKept.contains(name) {
            guard let kept = read[name] else {
                Issue.record("\(vector): \(name) is in no list")
                continue
            }
            let text = ReadFields.text(value, of: name)
            #expect(kept?.lowercased() == text.lowercased(), "\(vector): \(name)")
            compared += 1
        }
        return compared
    }

    /// The lists of this test are complete.
    @Test func `The comparison covers every stored field`() {
        let transaction = Transaction(
            id: "1", originalID: "1", app: "a", environment: .sandbox, productID: "p", purchaseDate: .t0,
            originalPurchaseDate: .t0, signedDate: .t0, isSigned: true)
        #expect(Set(ReadFields.transaction(transaction).keys) == Set(TransactionFields.kept.map(\.name)))
        let renewal = RenewalFacts(signedDate: .t0)
        #expect(Set(ReadFields.renewal(renewal).keys) == Set(RenewalFields.kept.map(\.name)))
    }

    /// Each with the root that it leads to, and the number of its members that are compared.
    @Test(
        arguments: [
            (VectorTests.genuine, nil, 16), ("synthetic/generated/transaction.jws", "jws-root", 11),
            ("synthetic/generated/expired-cert-historical.jws", "jws-expired-root", 11),
            (xcode("transaction"), nil, 19),
        ] as [(String, String?, Int)])
    func `Every field of genuine and generated transactions is stored`(_ path: String, _ root: String?, _ count: Int)
        async throws
    {
        let jws = try Vectors.text(path)
        let members = try Self.payload(of: jws)
        let bundleID = try #require(members["bundleId"])
        let app = BundleID(stored: ReadFields.text(bundleID, of: "bundleId"))
        let read = try await SignedTransactionVerifier(anchors: Self.anchors(jws, root, of: app))
            .verify(jws, apps: [app], at: .t0)
        let notKept = Set(TransactionFields.notKept.keys)
        #expect(Self.compare(members, with: ReadFields.transaction(read), notKept: notKept, in: path) == count)
    }

    /// The App Store's roots, a root of the vectors, and Xcode's certificate if it signed.
    private static func anchors(_ jws: String, _ root: String?, of app: BundleID) throws -> TrustAnchors {
        let certificate = try? XcodeJWS(jws, maximumSize: SignedTransactionVerifier.maximumSize).certificate
        return try TrustAnchors.apple().adding(
            TrustAnchors(
                signedDataRoots: root.map { [try Vectors.data("synthetic/generated/\($0).der")] } ?? [],
                receiptRoots: [], xcodeCertificates: certificate.map { [app: [$0]] } ?? [:]))
    }

    private static func xcode(_ name: String) -> String { "apple-library/xcode/xcode-signed-\(name)" }

    @Test func `Every field of genuine renewal info is stored`() async throws {
        let (path, app) = (Self.xcode("renewal-info"), XcodeVectorTests.app)
        let jws = try Vectors.text(path)
        let read = try await SignedTransactionVerifier(anchors: Self.anchors(jws, nil, of: app))
            .verifyRenewalInfo(jws, of: app, at: .t0)
        let notKept = Set(RenewalFields.notKept.keys).union(["deviceVerification", "deviceVerificationNonce"])
        let compared = Self.compare(
            try Self.payload(of: jws), with: ReadFields.renewal(read.facts), notKept: notKept, in: path)
        #expect(compared == 5)
    }

    /// The payloads that Apple's own libraries are tested with, which have every field. Their environment is one that
    /// no server accepts data of.
    @Test(arguments: [("signedTransaction", 28), ("signedTransactionWithRevocation", 30)])
    func `Every field of the transactions of Apple's libraries is stored`(_ name: String, _ count: Int) throws {
        var members = try Self.members(try Vectors.data("apple-library/models/\(name).json"))
        members["environment"] = "Sandbox"
        let body = try JSONEncoder().encode(JSONValue.object(members))
        let read = try JSONDecoder().decode(TransactionPayload.self, from: body).transaction(in: .sandbox)
        let notKept = Set(TransactionFields.notKept.keys)
        #expect(Self.compare(members, with: ReadFields.transaction(read), notKept: notKept, in: name) == count)
    }

    @Test func `Every field of the renewal info of Apple's libraries is stored`() throws {
        let data = try Vectors.data("apple-library/models/signedRenewalInfo.json")
        let read = try JSONDecoder().decode(RenewalInfoPayload.self, from: data).facts
        let compared = Self.compare(
            try Self.members(data), with: ReadFields.renewal(read), notKept: Set(RenewalFields.notKept.keys),
            in: "signedRenewalInfo")
        #expect(compared == 16)
    }

    /// Each with the number of attributes that are compared. The intermediates of the generated receipts lack a marker,
    /// so that they are read and not verified.
    @Test(arguments: [
        ("genuine", "purchasing_experiments_sandbox_receipt.b64", 25),
        ("genuine", "receipt-xcode-with-purchases.b64", 9),
        ("apple-library", "xcode/xcode-app-receipt-with-transaction", 9),
        ("synthetic", "generated/receipt.der", 23), ("synthetic", "generated/receipt-double-wrapped.der", 23),
    ])
    func `Every attribute of genuine and generated app receipts is stored`(
        _ folder: String, _ file: String, _ count: Int
    ) throws {
        let description = try Self.members(Vectors.data("\(folder)/expected/\(file.replacing("/", with: "__")).json"))
        let data = try Vectors.data("\(folder)/\(file)")
        let bytes = Data(receiptBase64: String(decoding: data, as: UTF8.self)) ?? data
        let receipt = try AppReceipt(content: try SignedDataMessage(berEncoded: Array(bytes)).content)
        let purchases = try #require(description["in_app"]?.elements)
        #expect(purchases.count == receipt.purchases.count)
        let environment = try receipt.environment
        var compared = 0
        for case (.object(let expected), let purchase) in zip(purchases, receipt.purchases) {
            let read = ReadFields.purchase(purchase.transaction(in: receipt, of: environment))
            let members = expected.merging(Self.ofReceipt(description)) { own, _ in own }
            // An attribute without a text, and the number 0 of a line item, state nothing.
            let stated = members.filter { name, value in
                Int(name) == nil && value != "" && !(name == "web_order_line_item_id" && value == 0)
            }.mapValues(Self.withMilliseconds)
            compared += Self.compare(stated, with: read, notKept: ReadFields.purchaseNotKept, in: file)
        }
        #expect(compared == count)
    }

    private static func ofReceipt(_ description: [String: JSONValue]) -> [String: JSONValue] {
        guard case .object(let attributes) = description["attributes"] else { return [:] }
        let names = ["bundle_id", "receipt_creation_date", "application_version", "original_application_version"]
        return attributes.filter { names.contains($0.key) }
    }

    /// Dates as the milliseconds that they are.
    private static func withMilliseconds(_ value: JSONValue) -> JSONValue {
        guard case .string(let text) = value, let date = Date(rfc3339: text) else { return value }
        return .integer(date.milliseconds)
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}
