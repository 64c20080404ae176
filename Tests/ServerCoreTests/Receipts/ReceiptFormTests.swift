import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import AppStore
@testable import CommandLine

/// A receipt that was changed on its way in a way that loses nothing is the receipt.
@Suite struct ReceiptFormTests {
    private static func broken(_ text: String, every count: Int = 76, by separator: String) -> String {
        stride(from: 0, to: text.utf8.count, by: count)
            .map { String(decoding: text.utf8.dropFirst($0).prefix(count), as: UTF8.self) }
            .joined(separator: separator)
    }

    private static func url(_ base64: String) -> String {
        base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    static let ofBase64: [(String, @Sendable (String) -> String)] = [
        ("line breaks", { broken($0, by: "\r\n") }), ("tabs", { broken($0, by: "\t") }),
        ("spaces for +", { $0.replacing("+", with: " ") }), ("spaces beside +", { broken($0, by: " ") }),
        ("base64url", { url($0) }), ("base64url with line breaks", { broken(url($0), by: "\n") }),
        ("encoded twice", { encoded($0) }), ("encoded twice, as base64url", { url(encoded($0)) }),
    ]

    static let ofSignedData: [(String, @Sendable (String) -> String)] = [
        ("line breaks", { broken($0, by: "\r\n") }), ("tabs", { broken($0, by: "\t") }),
        ("spaces", { broken($0, by: " ") }), ("in base64", { encoded($0) }),
    ]

    /// The second time it is a duplicate, so both have one hash.
    private static func expectSame(
        _ plain: String, _ forms: [(String, @Sendable (String) -> String)], in world: World
    ) async throws {
        for (name, form) in forms {
            let player = try await world.newPlayer()
            let first = try await world.post(form(plain), as: player)
            #expect([200, 409].contains(first.status), "\(name): \(first)")
            let again = try await world.post(plain, as: player)
            #expect(again.json["receipt"] == first.json["receipt"], "\(name): \(again)")
        }
    }

    @Test func `A receipt in base64 is the same in each form`() async throws {
        try await World.run { world in
            let bought = try await world.buy("hardwords", "non-consumable")
            try await Self.expectSame(bought.appReceipt, Self.ofBase64, in: world)
            try await Self.expectSame(bought.transactionReceipt, Self.ofBase64, in: world)
        }
    }

    @Test func `Signed data and a property list are the same in each form`() async throws {
        try await World.run { world in
            let bought = try await world.buy("hardwords", "non-consumable")
            try await Self.expectSame(bought.signedTransaction, Self.ofSignedData, in: world)
            let asText: @Sendable (String) -> String = { base64 in
                String(decoding: Data(base64Encoded: base64) ?? Data(), as: UTF8.self)
            }
            try await Self.expectSame(bought.transactionReceipt, [("as text", asText)], in: world)
        }
    }

    @Test func `Spaces without any + are read as +, and removed if the bytes are a receipt only so`() throws {
        let der = Data([0x30, 0x82, 0x01, 0x00]) + Data((0..<256).map { UInt8($0) })
        let base64 = der.base64EncodedString()
        #expect(base64.contains("+"))
        #expect(Data(receiptBase64: base64.replacing("+", with: " ")) == der)
        let plain = Data([0x30, 0x03, 1, 2, 3])
        #expect(Data(receiptBase64: "MAMB AgM =") == plain)
        #expect(Data(receiptBase64: "M A M B AgM=") == plain)
    }

    @Test func `What is encoded twice is a receipt only if signed data, DER or a property list is inside`() {
        for inner in ["1234567890", "no receipt", "{}", "", "e30", "a.b"] {
            let content = Self.encoded(inner)
            #expect(Receipt.plain(content) == content, "\(inner)")
        }
        let thrice = Self.encoded(Self.encoded(Self.encoded("e30.e30.e30")))
        #expect(Receipt.plain(thrice) == thrice)
    }

    static let odd: [(member: String, value: JSONValue, status: Int)] = [
        ("price", "990", 200), ("price", [], 200), ("currency", 978, 200), ("offerType", "1", 200),
        ("commitmentInfo", 1, 200), ("advancedCommerceInfo", true, 200), ("appAccountToken", 7, 200),
        ("subscriptionGroupIdentifier", 7, 200), ("originalPurchaseDate", "yesterday", 200),
        ("revocationReason", "x", 200), ("transactionId", 7, 422), ("purchaseDate", "2026-11-20", 422),
        ("quantity", "1", 422), ("isUpgraded", "no", 422), ("revocationDate", "x", 422), ("expiresDate", "x", 422),
    ]

    @Test func `A member of another type in signed data is ignored, or the data is not supported`() async throws {
        let authority = try SigningAuthority()
        try await World.run(roots: [authority.root]) { world in
            for (number, odd) in Self.odd.enumerated() {
                let player = try await world.newPlayer()
                let id = JSONValue.string("20000000000010\(number)")
                let receipt = try authority.jws(
                    SigningAuthority.transaction(
                        ["transactionId": id, "originalTransactionId": id].merging([odd.member: odd.value]) { $1 }))
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == odd.status, "\(odd): \(answer)")
                if odd.status == 422 { answer.expect(.rejected("unsupported"), "\(odd)") }
            }
        }
    }
}
