import Foundation
import InAppPurchase
import SwiftASN1
import Testing
import X509

@testable import AppStoreSimulator

@Suite struct TransactionReceiptTests {
    @Test func `A transaction receipt is a property list signed with SHA-1`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("consumable", #"a "quoted\" pröduct"#, ["environment": "Sandbox"])
            let list = try Self.members(Data(base64Encoded: bought["transactionReceipt"].text))
            #expect(list["environment"] == "Sandbox")
            let info = try #require(list["purchase-info"].flatMap { Data(base64Encoded: $0) })
            let members = try Self.members(info)
            #expect(members["product-id"] == #"a "quoted\" pröduct"#)
            #expect(members["transaction-id"] == bought["transactionID"].text)
            #expect(members["purchase-date-ms"] == "1795210620000")
            #expect(members["bid"] == Shop.app)
            let signature = [UInt8](try #require(list["signature"].flatMap { Data(base64Encoded: $0) }))
            #expect(signature[0] == 3)
            let length = signature[257..<261].reduce(0) { $0 << 8 | Int($1) }
            #expect(signature.count == 261 + length)
            let leaf = try Certificate(derEncoded: Array(signature[261...]))
            #expect(
                leaf.publicKey.isValidSignature(
                    signature[1..<257], for: [3] + info, signatureAlgorithm: .sha1WithRSAEncryption))
        }
    }

    @Test func `A production transaction receipt names no environment`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("consumable")
            let list = try Self.members(Data(base64Encoded: bought["transactionReceipt"].text))
            #expect(Set(list.keys) == ["signature", "purchase-info", "pod", "signing-status"])
        }
    }

    @Test(arguments: [("Production", 1_234_567_890), ("Production", nil), ("Sandbox", 1_234_567_890)])
    func `The answer in Production has the number of the app`(environment: String, number: Int?) async throws {
        try await Shop.open(appAppleID: number) { shop in
            let bought = try await shop.buy("auto-renewable", "club", ["environment": .string(environment)])
            let answer = try await shop.verifyReceipt(bought["transactionReceipt"], in: environment.lowercased())
            let expected = environment == "Sandbox" ? nil : number.map { JSONValue.string(String($0)) }
            for name in ["receipt", "latest_receipt_info"] { #expect(answer[name]["app_item_id"] == expected ?? .null) }
        }
    }

    @Test func `The answer about a transaction receipt has the iOS 6 style`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("consumable", "hints", ["quantity": 4])
            let answer = try await shop.verifyReceipt(bought["transactionReceipt"])
            #expect(answer.names == ["status", "receipt"])
            #expect(answer["status"] == 0)
            #expect(answer["receipt"]["bid"] == .string(Shop.app))
            #expect(answer["receipt"]["quantity"] == "4")
            #expect(answer["receipt"]["transaction_id"] == bought["transactionID"])
            #expect(answer["receipt"]["purchase_date"] == "2026-11-20 21:37:00 Etc/GMT")
            let id = bought["transactionID"].text
            _ = try await shop.act("transactions/\(id)/refund")
            let refunded = try await shop.verifyReceipt(bought["transactionReceipt"])
            #expect(refunded["receipt"]["cancellation_date_ms"] == "1795210620000")
        }
    }

    @Test func `The answer about a subscription shows the newest period`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club", ["period": "P1D", "renews": .bool(false)])
            let active = try await shop.verifyReceipt(bought["transactionReceipt"])
            #expect(active["status"] == 0)
            #expect(active["auto_renew_status"] == 1)
            #expect(active["receipt"]["expires_date"] == "1795297020000")
            #expect(active["receipt"]["expires_date_formatted"] == "2026-11-21 21:37:00 Etc/GMT")
            let id = bought["transactionID"].text
            shop.clock.advance(by: 86_400)
            let expired = try await shop.verifyReceipt(bought["transactionReceipt"])
            #expect(expired["status"] == 21_006)
            #expect(expired["latest_expired_receipt_info"]["transaction_id"].text == id)
            #expect(expired["latest_receipt_info"] == .null)
            let renewed = try await shop.act("subscriptions/\(id)/renew")["transactionID"]
            let again = try await shop.verifyReceipt(bought["transactionReceipt"])
            #expect(again["status"] == 0)
            #expect(again["receipt"]["transaction_id"].text == id)
            #expect(again["latest_receipt_info"]["transaction_id"] == renewed)
            let latest = try await shop.verifyReceipt(again["latest_receipt"])
            #expect(latest["receipt"]["transaction_id"] == renewed)
            _ = try await shop.act("subscriptions/\(id)/expire")
            let ended = try await shop.verifyReceipt(bought["transactionReceipt"])
            #expect(ended["status"] == 21_006)
            #expect(ended["auto_renew_status"] == 0)
            #expect(ended["expiration_intent"] == "1")
        }
    }

    private static func members(_ data: Data?) throws -> [String: String] {
        let list = try PropertyListSerialization.propertyList(from: #require(data), options: [], format: nil)
        return try #require(list as? [String: String])
    }
}
