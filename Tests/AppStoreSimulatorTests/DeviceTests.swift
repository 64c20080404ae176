import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// Receipts that are made for one device.
@Suite struct DeviceTests {
    private let device = UUID()

    private func isTied(_ payload: JSONValue) -> Bool {
        let text = payload["deviceVerificationNonce"].text + device.uuidString.lowercased()
        let digest = Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
        return payload["deviceVerification"] == .string(digest)
    }

    @Test func `A purchase on a device is tied to it`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("non-consumable", "words", ["device": .string(device.uuidString)])
            let payload = try SignedMessage.payload(bought["signedTransaction"])
            #expect(isTied(payload))
            #expect(payload["deviceVerificationNonce"].text == payload["deviceVerificationNonce"].text.lowercased())
            let again = try await shop.buy("non-consumable", "words", ["device": .string(device.uuidString)])
            let other = try SignedMessage.payload(again["signedTransaction"])
            #expect(other["deviceVerificationNonce"] != payload["deviceVerificationNonce"])
            let elsewhere = try await shop.buy("non-consumable", "words")
            let names = try SignedMessage.payload(elsewhere["signedTransaction"]).names
            #expect(names.isDisjoint(with: ["deviceVerification", "deviceVerificationNonce"]))
        }
    }

    /// The newest of each original transaction, unfinished first, signed now and for the device.
    @Test func `All transactions of a customer are listed, signed for the device`() async throws {
        try await Shop.open { shop in
            let customer: [String: JSONValue] = ["customer": "anna"]
            let words = try await shop.buy("non-consumable", "words", customer)
            let club = try await shop.buy("auto-renewable", "club", customer)
            shop.clock.advance(by: 60)
            let hints = try await shop.buy("consumable", "hints", customer)
            _ = try await shop.buy("consumable", "hints", ["customer": "bert"])
            let renewed = try await shop.act("subscriptions/\(club["originalTransactionID"].text)/renew")
            shop.clock.advance(by: 60)
            let path = "/simulator/v1/customers/anna/transactions?bundleID=\(Shop.app)&device=\(device)"
            let answer = try await shop.send(.get, path)
            #expect(answer.status == .ok)
            let payloads = try answer.json["transactions"].elements.map { try SignedMessage.payload($0) }
            #expect(
                Set(payloads.map(\.["transactionId"].text)) == [
                    words["transactionID"].text, hints["transactionID"].text, renewed["transactionID"].text,
                ])
            #expect(payloads.last?["transactionId"] == words["transactionID"], "the oldest last")
            #expect(payloads.allSatisfy { isTied($0) })
            let now = JSONValue.integer(shop.clock.now.milliseconds)
            #expect(payloads.allSatisfy { $0["signedDate"] == now })
            let untied = try await shop.send(.get, "/simulator/v1/customers/anna/transactions?bundleID=\(Shop.app)")
            let first = try SignedMessage.payload(try #require(untied.json["transactions"].elements.first))
            #expect(!first.names.contains("deviceVerification"))
        }
    }

    @Test(arguments: ["transactions", "receipt"]) func `An invalid device ID is refused`(route: String) async throws {
        try await Shop.open { shop in
            let path = "/simulator/v1/customers/anna/\(route)?bundleID=\(Shop.app)&device=phone"
            let answer = try await shop.send(.get, path)
            #expect(answer.status == .unprocessableContent && answer.json["code"] == "invalid_request")
            #expect(try await shop.send(.get, "/simulator/v1/customers/anna/\(route)").status == .unprocessableContent)
        }
    }
}
