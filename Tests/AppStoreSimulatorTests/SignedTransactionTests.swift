import Foundation
import HTTPTypes
import InAppPurchase
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import AppStoreSimulator

@Suite struct SignedTransactionTests {
    @Test func `The chain of a simulated transaction leads to the published root`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable")
            for name in ["signedTransaction", "signedRenewalInfo"] {
                let message = try SignedMessage(bought[name])
                #expect(message.isSignatureValid)
                #expect(message.headerText.hasPrefix(#"{"alg":"ES256","x5c":["MI"#))
                #expect(message.header.names == ["alg", "x5c"])
                let root = try await shop.send(.get, "/simulator/v1/root.cer").body
                #expect([UInt8](root) == shop.simulator.rootCertificate)
                #expect(message.certificates[2] == (try Certificate(derEncoded: [UInt8](root))))
                #expect(try await StorePolicy.accepts(message.certificates, root: [UInt8](root), at: shop.clock.now))
            }
        }
    }

    @Test func `Another store has another root`() async throws {
        let other = try await AppStoreSimulator.open(MemoryKeyValueStore()) { TestClock.start }
        try await Shop.open { shop in
            let message = try SignedMessage(try await shop.buy("consumable")["signedTransaction"])
            #expect(
                try await !StorePolicy.accepts(message.certificates, root: other.rootCertificate, at: shop.clock.now))
        }
    }

    @Test(arguments: [
        ("consumable", "Consumable"), ("non-consumable", "Non-Consumable"),
        ("non-renewing", "Non-Renewing Subscription"), ("auto-renewable", "Auto-Renewable Subscription"),
        ("Auto-Renewable Subscription", "Auto-Renewable Subscription"),
    ])
    func `The payload of a simulated transaction says what was bought`(type: String, storeType: String) async throws {
        try await Shop.open { shop in
            let token = UUID()
            let quantity: JSONValue = storeType == "Auto-Renewable Subscription" ? 1 : 3
            let bought = try await shop.buy(
                type, "com.example.hangman.thing",
                ["appAccountToken": .string(token.uuidString), "quantity": quantity, "environment": "Sandbox"])
            let payload = try SignedMessage.payload(bought["signedTransaction"])
            let now = JSONValue.integer(shop.clock.now.milliseconds)
            #expect(payload["transactionId"] == bought["transactionID"])
            #expect(payload["originalTransactionId"] == bought["originalTransactionID"])
            #expect(payload["transactionId"].text.hasPrefix("2000") && payload["transactionId"].text.count == 16)
            #expect(payload["bundleId"] == .string(Shop.app))
            #expect(payload["productId"] == "com.example.hangman.thing")
            #expect(payload["type"] == .string(storeType))
            #expect(payload["quantity"] == quantity)
            #expect(payload["environment"] == "Sandbox")
            #expect(payload["inAppOwnershipType"] == "PURCHASED")
            #expect(payload["appAccountToken"] == .string(token.text))
            #expect(payload["transactionReason"] == "PURCHASE")
            #expect(payload["storefront"] == "USA")
            for date in ["purchaseDate", "originalPurchaseDate", "signedDate"] { #expect(payload[date] == now) }
            let isSubscription = storeType.hasPrefix("Auto")
            let ofSubscriptions: Set = ["expiresDate", "webOrderLineItemId", "subscriptionGroupIdentifier"]
            #expect(payload.names.intersection(ofSubscriptions) == (isSubscription ? ofSubscriptions : []))
            #expect(payload.names.isDisjoint(with: ["revocationDate", "revocationReason", "isUpgraded"]))
        }
    }

    @Test(
        arguments: [
            ("P1W", "2026-01-31T00:00:00Z", "2026-02-07T00:00:00Z"),
            (nil, "2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z"),
            ("P1Y", "2024-02-29T12:00:00.250Z", "2025-02-28T12:00:00.250Z"),
        ] as [(String?, String, String)])
    func `A period ends by the calendar`(period: String?, start: String, end: String) async throws {
        try await Shop.open { shop in
            var order: [String: JSONValue] = ["purchaseDate": .string(start), "ownershipType": "FAMILY_SHARED"]
            order["period"] = period.map { .string($0) }
            let payload = try SignedMessage.payload(
                try await shop.buy("auto-renewable", "club", order)["signedTransaction"])
            #expect(payload["purchaseDate"] == .integer(try #require(Date(rfc3339: start)).milliseconds))
            #expect(payload["expiresDate"] == .integer(try #require(Date(rfc3339: end)).milliseconds))
            #expect(payload["signedDate"] == .integer(shop.clock.now.milliseconds))
            #expect(payload["inAppOwnershipType"] == "FAMILY_SHARED")
        }
    }
}
