import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

@Suite struct SubscriptionActTests {
    /// The members of the payloads after each act a minute after the purchase; nil: as at the purchase, or absent.
    static let now = 1_795_210_680_000
    static let grace = now + 16 * 86_400_000

    @Test(arguments: [
        ("expire", ["expiresDate": now], ["autoRenewStatus": 0, "expirationIntent": 1, "renewalDate": now]),
        ("grace", ["expiresDate": now], ["autoRenewStatus": 1, "gracePeriodExpiresDate": grace]),
        ("billing-retry", ["expiresDate": now], ["autoRenewStatus": 1, "expirationIntent": 2]),
        (
            "revoke", ["expiresDate": now, "revocationDate": now, "revocationReason": 0],
            ["autoRenewStatus": 0]
        ),
    ])
    func `An act that ends the current period does so now`(act: String, expected: [String: Int], renewal: [String: Int])
        async throws
    {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club")
            let before = try SignedMessage.payload(bought["signedTransaction"])
            shop.clock.advance(by: 60)
            let answer = try await shop.act("subscriptions/\(bought["transactionID"].text)/\(act)")
            let after = try SignedMessage.payload(answer["signedTransaction"])
            for (name, value) in expected { #expect(after[name] == .integer(value)) }
            let changing = Set(expected.keys).union(["signedDate", "revocationType"])
            for name in before.names.union(after.names).subtracting(changing) { #expect(before[name] == after[name]) }
            let info = try SignedMessage.payload(answer["signedRenewalInfo"])
            for (name, value) in renewal { #expect(info[name] == .integer(value)) }
            #expect(info["isInBillingRetryPeriod"] == .bool(act == "grace" || act == "billing-retry"))
            #expect(info.names.contains("gracePeriodExpiresDate") == (act == "grace"))
            #expect(info["originalTransactionId"] == bought["transactionID"])
        }
    }

    @Test func `A renewal starts now with a transaction of its own`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club", ["appAccountToken": .string(UUID().text)])
            let before = try SignedMessage.payload(bought["signedTransaction"])
            shop.clock.advance(by: 60)
            _ = try await shop.act("subscriptions/\(bought["transactionID"].text)/billing-retry")
            shop.clock.advance(by: 60)
            let answer = try await shop.act("subscriptions/\(bought["transactionID"].text)/renew")
            let after = try SignedMessage.payload(answer["signedTransaction"])
            #expect(after["transactionReason"] == "RENEWAL")
            #expect(after["purchaseDate"] == .integer(Self.now + 60_000))
            #expect(after["expiresDate"] == .integer(Self.now + 60_000 + 30 * 86_400_000))
            #expect(answer["originalTransactionID"] == bought["transactionID"])
            for name in ["transactionId", "webOrderLineItemId"] { #expect(before[name] != after[name]) }
            let same: Set = [
                "originalTransactionId", "originalPurchaseDate", "appAccountToken", "subscriptionGroupIdentifier",
                "appTransactionId", "productId", "type", "bundleId", "environment",
            ]
            for name in same { #expect(before[name] == after[name]) }
            let info = try SignedMessage.payload(answer["signedRenewalInfo"])
            #expect(info["isInBillingRetryPeriod"] == .bool(false))
            #expect(info["recentSubscriptionStartDate"] == before["purchaseDate"])
            #expect(!info.names.contains("expirationIntent"))
        }
    }

    @Test func `An early renewal begins when the current period ends`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club")
            let before = try SignedMessage.payload(bought["signedTransaction"])
            let answer = try await shop.act(
                "subscriptions/\(bought["transactionID"].text)/renew", ["early": .bool(true)])
            let after = try SignedMessage.payload(answer["signedTransaction"])
            #expect(after["purchaseDate"] == before["expiresDate"])
            #expect(after["transactionReason"] == "RENEWAL" && after["signedDate"] == before["signedDate"])
        }
    }

    @Test(arguments: ["resubscribe", "upgrade"])
    func `Another account of the same customer pays for the same subscription`(act: String) async throws {
        try await Shop.open { shop in
            let (first, second) = (UUID().text, UUID().text)
            let bought = try await shop.buy("auto-renewable", "club", ["appAccountToken": .string(first)])
            if act == "resubscribe" { _ = try await shop.act("subscriptions/\(bought["transactionID"].text)/expire") }
            let answer = try await shop.act(
                "subscriptions/\(bought["transactionID"].text)/\(act)",
                ["productID": "gold", "appAccountToken": .string(second)])
            let paid = try SignedMessage.payload(answer["signedTransaction"])
            #expect(paid["appAccountToken"] == .string(second) && paid["transactionReason"] == "PURCHASE")
            #expect(paid["originalTransactionId"] == bought["originalTransactionID"])
            let renewed = try await shop.act("subscriptions/\(bought["transactionID"].text)/renew")
            #expect(try SignedMessage.payload(renewed["signedTransaction"])["appAccountToken"] == .string(second))
        }
    }

    @Test func `A customer has one introductory offer in a group`() async throws {
        try await Shop.open { shop in
            let offer: JSONValue = ["type": 1, "discountType": "FREE_TRIAL", "period": "P1W"]
            for (customer, isTrial) in [("anna", true), ("anna", false), ("bert", true)] {
                let bought = try await shop.buy(
                    "auto-renewable", "club", ["customer": .string(customer), "offer": offer])
                let payload = try SignedMessage.payload(bought["signedTransaction"])
                #expect(payload.names.contains("offerType") == isTrial)
                #expect((payload["price"] == 0) == isTrial)
            }
        }
    }

    @Test func `A customer may cancel a purchase`() async throws {
        try await Shop.open { shop in
            let order: JSONValue = [
                "bundleID": "a", "productID": "b", "type": "consumable", "outcome": "cancelled",
            ]
            let answer = try await shop.send(.post, "/simulator/v1/purchases", order)
            #expect(answer.status.code == 402 && answer.json["code"] == "purchase_cancelled")
        }
    }

    @Test(arguments: [(60.0, false), (60.1, true)])
    func `A gap above sixty days starts a new run of the subscription`(days: Double, isNew: Bool) async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable")["transactionID"].text
            _ = try await shop.act("subscriptions/\(id)/expire")
            shop.clock.advance(by: days * 86_400)
            let info = try SignedMessage.payload(try await shop.act("subscriptions/\(id)/renew")["signedRenewalInfo"])
            let start = (isNew ? shop.clock.now : TestClock.start).milliseconds
            #expect(info["recentSubscriptionStartDate"] == .integer(start))
        }
    }

    @Test func `An upgrade replaces the current period`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable", "basic")["transactionID"].text
            shop.clock.advance(by: 60)
            let answer = try await shop.act("subscriptions/\(id)/upgrade", ["productID": "gold"])
            let payload = try SignedMessage.payload(answer["signedTransaction"])
            #expect(payload["productId"] == "gold")
            #expect(payload["originalTransactionId"].text == id)
            #expect(payload["transactionReason"] == "PURCHASE")
            #expect(payload["purchaseDate"] == .integer(Self.now))
            #expect(!payload.names.contains("isUpgraded"))
            #expect(try SignedMessage.payload(answer["signedRenewalInfo"])["autoRenewProductId"] == "gold")
            // A refund signs the replaced transaction once more.
            let old = try SignedMessage.payload(try await shop.act("transactions/\(id)/refund")["signedTransaction"])
            #expect(old["isUpgraded"] == .bool(true))
            #expect(old["productId"] == "basic")
            #expect(old["expiresDate"] == .integer(Self.now))
        }
    }

    @Test(arguments: [nil, .object([:]), ["productID": ""], ["productID": 7]] as [JSONValue?])
    func `An upgrade needs a product`(body: JSONValue?) async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable")["transactionID"].text
            let answer = try await shop.send(.post, "/simulator/v1/subscriptions/\(id)/upgrade", body)
            #expect([.unprocessableContent, .badRequest].contains(answer.status))
        }
    }

    @Test(arguments: ["consumable", "non-consumable", "non-renewing", "auto-renewable"])
    func `A refund keeps the date of the first request`(type: String) async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy(type)
            for _ in 0..<2 {
                shop.clock.advance(by: 60)
                let answer = try await shop.act("transactions/\(bought["transactionID"].text)/refund")
                let payload = try SignedMessage.payload(answer["signedTransaction"])
                #expect(payload["revocationDate"] == .integer(Self.now))
                #expect(payload["revocationReason"] == 0)
                #expect(payload["revocationType"] == "REFUND_FULL")
                #expect(payload["signedDate"] == .integer(shop.clock.now.milliseconds))
                #expect(answer.names.contains("signedRenewalInfo") == (type == "auto-renewable"))
            }
        }
    }

    @Test func `A refund of an old period leaves the new one`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable")["transactionID"].text
            shop.clock.advance(by: 60)
            let renewed = try await shop.act("subscriptions/\(id)/renew")["transactionID"].text
            _ = try await shop.act("transactions/\(id)/refund")
            let answer = try await shop.act("subscriptions/\(renewed)/grace")
            let payload = try SignedMessage.payload(answer["signedTransaction"])
            #expect(payload["transactionId"].text == renewed)
            #expect(!payload.names.contains("revocationDate"))
        }
    }
}
