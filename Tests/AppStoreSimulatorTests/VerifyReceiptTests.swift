import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

@Suite struct VerifyReceiptTests {
    @Test(arguments: ["appReceipt", "transactionReceipt"], ["Production", "Sandbox"])
    func `A receipt is verified in its own environment only`(kind: String, environment: String) async throws {
        try await Shop.open { shop in
            let receipt = try await shop.buy("consumable", "hints", ["environment": .string(environment)])[kind]
            let (own, other) = environment == "Sandbox" ? ("sandbox", "production") : ("production", "sandbox")
            #expect(try await shop.verifyReceipt(receipt, in: own)["status"] == 0)
            let wrong = try await shop.verifyReceipt(receipt, in: other)
            #expect(wrong == ["status": environment == "Sandbox" ? 21_007 : 21_008])
        }
    }

    @Test func `verifyReceipt answers any method but POST with 21000`() async throws {
        try await Shop.open { shop in
            for method in [HTTPRequest.Method.get, .put, .patch, .delete] {
                let answer = try await shop.send(method, "/production/verifyReceipt")
                #expect(answer.status == .ok)
                #expect(answer.json == ["status": 21_000])
            }
        }
    }

    @Test(arguments: [
        ("", 21_000), ("{", 21_000), ("[]", 21_002), ("{}", 21_002), (#"{"receipt-data": 7}"#, 21_002),
        (#"{"receipt-data": ""}"#, 21_002), (#"{"receipt-data": "!"}"#, 21_002),
        (#"{"receipt-data": "MIIB"}"#, 21_002), (#"{"receipt-data": "MIAwgDCAMIA="}"#, 21_002),
        (#"{"receipt-data": "e30="}"#, 21_002), (#"{"receipt-data": "ewo="}"#, 21_002),
    ])
    func `A body or receipt that cannot be read is answered with 21000 or 21002`(body: String, status: Int) async throws
    {
        try await Shop.open { shop in
            let answer = try await shop.send(.post, "/production/verifyReceipt", body: Data(body.utf8))
            #expect(answer.status == .ok)
            #expect(answer.json == ["status": .integer(status)])
        }
    }

    @Test func `A deeply nested receipt is malformed`() async throws {
        try await Shop.open { shop in
            for opening in ["{(", "{ \"a\" = {", "{ '\"' = ((", "{/* \" */ ((", "{ a = (("] {
                let text = opening + String(repeating: "(", count: PropertyListText.maximumSize - 16)
                let receipt = JSONValue.string(Data(text.utf8).base64EncodedString())
                let answer = try await shop.verifyReceipt(receipt)
                #expect(answer == ["status": 21_002])
            }
        }
    }

    @Test func `A verifyReceipt body that is too large is not read`() async throws {
        try await Shop.open { shop in
            let body = Data(repeating: UInt8(ascii: " "), count: 3_145_729)
            let answer = try await shop.send(.post, "/production/verifyReceipt", body: body)
            #expect(answer.status == .contentTooLarge)
        }
    }

    @Test(arguments: ["appReceipt", "transactionReceipt"])
    func `A receipt of another store is answered with 21003`(kind: String) async throws {
        let foreign = try await Shop.open(MemoryKeyValueStore()) { try await $0.buy("consumable")[kind] }
        try await Shop.open { shop in
            let answer = try await shop.verifyReceipt(foreign)
            #expect(answer == ["status": 21_003])
        }
    }

    @Test(arguments: ["appReceipt", "transactionReceipt"])
    func `A receipt with a changed signed byte is not believed`(kind: String) async throws {
        try await Shop.open { shop in
            let receipt = try #require(Data(base64Encoded: try await shop.buy("consumable")[kind].text))
            let original = try await shop.verifyReceipt(.string(receipt.base64EncodedString()))
            for position in stride(from: 0, to: receipt.count, by: 13) {
                var changed = receipt
                changed[position] ^= 1
                let answer = try await shop.verifyReceipt(.string(changed.base64EncodedString()))
                // The certificates and some members are not signed, and changing them changes no fact.
                #expect(answer == original || [21_002, 21_003].contains(answer["status"]))
            }
            for length in stride(from: 0, to: receipt.count, by: 37) {
                let answer = try await shop.verifyReceipt(.string(receipt.prefix(length).base64EncodedString()))
                #expect([21_002, 21_003].contains(answer["status"]))
            }
        }
    }

    @Test func `Line breaks in base64 do not matter`() async throws {
        try await Shop.open { shop in
            let receipt = try #require(Data(base64Encoded: try await shop.buy("consumable")["appReceipt"].text))
            let wrapped = receipt.base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn])
            #expect(try await shop.verifyReceipt(.string(wrapped))["status"] == 0)
        }
    }
}
