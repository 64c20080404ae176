import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

@Suite struct NotificationTests {
    /// The notification of each act on a new subscription, and the state of the subscription in it.
    static let acts: [(String, JSONValue?, String, Int)] = [
        ("renew", nil, "DID_RENEW", 1),
        ("expire", nil, "EXPIRED/VOLUNTARY", 2),
        ("expire", ["reason": "billing-retry"], "EXPIRED/BILLING_RETRY", 2),
        ("expire", ["reason": "product-not-for-sale"], "EXPIRED/PRODUCT_NOT_FOR_SALE", 2),
        ("expire", ["reason": "other"], "EXPIRED", 2),
        ("grace", nil, "DID_FAIL_TO_RENEW/GRACE_PERIOD", 4),
        ("billing-retry", nil, "DID_FAIL_TO_RENEW", 3),
        ("revoke", nil, "REFUND", 5),
        ("upgrade", ["productID": "gold"], "DID_CHANGE_RENEWAL_PREF/UPGRADE", 1),
        ("downgrade", ["productID": "basic"], "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", 1),
        ("downgrade", ["productID": "club"], "DID_CHANGE_RENEWAL_PREF", 1),
        ("crossgrade", ["productID": "other"], "DID_CHANGE_RENEWAL_PREF/UPGRADE", 1),
        ("crossgrade", ["productID": "other", "period": "P1Y"], "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", 1),
        ("resubscribe", nil, "SUBSCRIBED/RESUBSCRIBE", 1),
        ("resubscribe", ["productID": "gold"], "SUBSCRIBED/RESUBSCRIBE", 1),
        ("cancel", nil, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", 1),
        ("reenable", nil, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", 1),
        ("price-increase", nil, "PRICE_INCREASE/PENDING", 1),
        ("price-increase", ["consent": "accepted"], "PRICE_INCREASE/ACCEPTED", 1),
        ("price-increase", ["consent": "refused"], "EXPIRED/PRICE_INCREASE", 2),
        ("extend", ["days": 7], "RENEWAL_EXTENDED", 1),
        ("redeem-offer", ["offerType": 2, "offerIdentifier": "spring"], "OFFER_REDEEMED", 1),
        ("redeem-offer", ["offerType": 3, "productID": "gold"], "OFFER_REDEEMED/UPGRADE", 1),
        ("redeem-offer", ["offerType": 3, "productID": "b", "change": "downgrade"], "OFFER_REDEEMED/DOWNGRADE", 1),
    ]

    @Test(arguments: acts.indices) func `Each act on a subscription sends its notification`(index: Int) async throws {
        let (act, body, kind, status) = Self.acts[index]
        try await Shop.opened { shop, receiver in
            let bought = try await shop.buy("auto-renewable", "club")
            #expect(try await receiver.nextKind() == "SUBSCRIBED/INITIAL_BUY")
            shop.clock.advance(by: 60)
            let answer = try await shop.act("subscriptions/\(bought["transactionID"].text)/\(act)", body)
            let payload = try await receiver.next()
            let reported = [payload["notificationType"].text, payload["subtype"].text].filter { !$0.isEmpty }
            #expect(reported.joined(separator: "/") == kind)
            #expect(payload["data"]["status"] == .integer(status))
            #expect(payload["data"]["signedTransactionInfo"].text.isEmpty == false)
            let transaction = try SignedMessage.payload(payload["data"]["signedTransactionInfo"])
            #expect(transaction == (try SignedMessage.payload(answer["signedTransaction"])))
            let renewal = try SignedMessage.payload(payload["data"]["signedRenewalInfo"])
            #expect(renewal == (try SignedMessage.payload(answer["signedRenewalInfo"])))
            #expect(payload["version"] == "2.0")
            #expect(payload["data"]["bundleId"].text == Shop.app)
            #expect(payload["data"]["environment"] == "Production")
            #expect(payload["signedDate"] == .integer(shop.clock.now.milliseconds))
        }
    }

    @Test(arguments: ["grace", "billing-retry"])
    func `A renewal after billing trouble is a billing recovery`(trouble: String) async throws {
        try await Shop.opened { shop, receiver in
            let id = try await shop.buy("auto-renewable")["transactionID"].text
            _ = try await shop.act("subscriptions/\(id)/\(trouble)")
            shop.clock.advance(by: 60)
            _ = try await shop.act("subscriptions/\(id)/grace-period-expired")
            _ = try await shop.act("subscriptions/\(id)/renew")
            _ = try await shop.act("subscriptions/\(id)/renew")
            var kinds: [String] = []
            for _ in 0..<5 { kinds.append(try await receiver.nextKind()) }
            #expect(kinds.suffix(3) == ["GRACE_PERIOD_EXPIRED", "DID_RENEW/BILLING_RECOVERY", "DID_RENEW"])
        }
    }

    @Test func `A downgrade takes effect at the renewal`() async throws {
        try await Shop.opened { shop, _ in
            let id = try await shop.buy("auto-renewable", "gold")["transactionID"].text
            let change: JSONValue = ["productID": "basic", "period": "P1Y"]
            let answer = try await shop.act("subscriptions/\(id)/downgrade", change)
            #expect(try SignedMessage.payload(answer["signedTransaction"])["productId"] == "gold")
            #expect(try SignedMessage.payload(answer["signedRenewalInfo"])["autoRenewProductId"] == "basic")
            let renewed = try SignedMessage.payload(
                try await shop.act("subscriptions/\(id)/renew")["signedTransaction"])
            #expect(renewed["productId"] == "basic")
            #expect(renewed["transactionReason"] == "RENEWAL")
            #expect(renewed["expiresDate"] == .integer(1_795_210_620_000 + 365 * 86_400_000))
        }
    }

    @Test func `An offer is for its period only`() async throws {
        try await Shop.opened { shop, receiver in
            let trial: [String: JSONValue] = [
                "offerType": 1, "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1W",
            ]
            let bought = try await shop.buy("auto-renewable", "club", trial)
            let first = try SignedMessage.payload(bought["signedTransaction"])
            #expect(first["offerType"] == 1)
            #expect(first["offerDiscountType"] == "FREE_TRIAL")
            #expect(first["expiresDate"] == .integer(1_795_210_620_000 + 7 * 86_400_000))
            let entries = try await shop.verifyReceipt(bought["appReceipt"])["latest_receipt_info"].elements
            #expect(entries.map { $0["is_trial_period"] } == ["true"])
            let path = "subscriptions/\(bought["transactionID"].text)"
            let renewed = try SignedMessage.payload(try await shop.act("\(path)/renew")["signedTransaction"])
            #expect(!renewed.names.contains("offerType"))
            let offer: JSONValue = ["offerType": 2, "offerIdentifier": "spring"]
            let info = try SignedMessage.payload(try await shop.act("\(path)/redeem-offer", offer)["signedRenewalInfo"])
            #expect(info["offerIdentifier"] == "spring")
            let again = try SignedMessage.payload(try await shop.act("\(path)/renew")["signedTransaction"])
            #expect(again["offerIdentifier"] == "spring")
            _ = try await shop.act("\(path)/expire")
            _ = try await shop.act("\(path)/redeem-offer", ["offerType": 4])
            var kinds: [String] = []
            for _ in 0..<6 { kinds.append(try await receiver.nextKind()) }
            #expect(kinds.last == "SUBSCRIBED/RESUBSCRIBE")
        }
    }

    @Test(arguments: ["consumable", "non-consumable", "non-renewing"])
    func `A one-time purchase and its refund send notifications`(type: String) async throws {
        try await Shop.opened(appAppleID: 42) { shop, receiver in
            let id = try await shop.buy(type)["transactionID"].text
            let first = try await receiver.next()
            #expect(first["notificationType"] == "ONE_TIME_CHARGE")
            #expect(first["data"]["appAppleId"] == 42)
            #expect(!first["data"].names.contains("status"))
            #expect(!first["data"].names.contains("signedRenewalInfo"))
            _ = try await shop.act("transactions/\(id)/consumption-request", ["reason": "LEGAL"])
            let request = try await receiver.next()
            #expect(request["notificationType"] == "CONSUMPTION_REQUEST")
            #expect(request["data"]["consumptionRequestReason"] == "LEGAL")
            _ = try await shop.act("transactions/\(id)/refund-declined")
            #expect(try await receiver.nextKind() == "REFUND_DECLINED")
            _ = try await shop.act("transactions/\(id)/refund", ["percentage": 50_000, "reason": 1])
            let refund = try await receiver.next()
            #expect(refund["notificationType"] == "REFUND")
            let refunded = try SignedMessage.payload(refund["data"]["signedTransactionInfo"])
            #expect(refunded["revocationType"] == "REFUND_PRORATED")
            #expect(refunded["revocationPercentage"] == 50_000)
            #expect(refunded["revocationReason"] == 1)
            _ = try await shop.act("transactions/\(id)/refund-reversed")
            let reversal = try await receiver.next()
            #expect(reversal["notificationType"] == "REFUND_REVERSED")
            let reversed = try SignedMessage.payload(reversal["data"]["signedTransactionInfo"])
            #expect(!reversed.names.contains { $0.hasPrefix("revocation") })
            let again = try await shop.send(.post, "/simulator/v1/transactions/\(id)/refund-reversed")
            #expect(again.status == .conflict)
        }
    }

    @Test func `A family member's purchase has notifications of its own`() async throws {
        try await Shop.opened { shop, receiver in
            let shared: [String: JSONValue] = ["ownershipType": "FAMILY_SHARED"]
            let id = try await shop.buy("auto-renewable", "club", shared)["transactionID"].text
            let other = try await shop.buy("non-consumable", "words", shared)["transactionID"].text
            _ = try await shop.act("subscriptions/\(id)/revoke")
            _ = try await shop.act("transactions/\(other)/revoke")
            var kinds: [String] = []
            for _ in 0..<4 { kinds.append(try await receiver.nextKind()) }
            #expect(kinds == ["SUBSCRIBED/INITIAL_BUY", "ONE_TIME_CHARGE", "REVOKE", "REVOKE"])
        }
    }

    @Test func `A notification of version 1 has the unified receipt`() async throws {
        try await Shop.opened(version: 1) { shop, receiver in
            let bought = try await shop.buy("auto-renewable", "club")
            let first = try await receiver.nextBody()
            #expect(first["notification_type"] == "INITIAL_BUY")
            #expect(first["password"] == "secret")
            #expect(first["environment"] == "PROD")
            #expect(first["bid"].text == Shop.app)
            let unified = first["unified_receipt"]
            #expect(unified["latest_receipt_info"].elements.map { $0["transaction_id"] } == [bought["transactionID"]])
            #expect(unified["pending_renewal_info"].elements.count == 1)
            #expect(try await shop.verifyReceipt(unified["latest_receipt"])["status"] == 0)
            // Version 1 says nothing about an extension.
            _ = try await shop.act("subscriptions/\(bought["transactionID"].text)/extend", ["days": 1])
            _ = try await shop.act("transactions/\(bought["transactionID"].text)/refund")
            #expect(try await receiver.nextBody()["notification_type"] == "CANCEL")
        }
    }
}
