import Foundation
import InAppPurchase
import Testing

@testable import AppStoreSimulator

@Suite struct UnifiedAnswerTests {
    @Test func `The answer of verifyReceipt says what is in the receipt`() async throws {
        try await Shop.open(appAppleID: 1_234_567_890) { shop in
            let bought = try await shop.buy("consumable", "hints", ["quantity": 2])
            shop.clock.advance(by: 60)
            let answer = try await shop.verifyReceipt(bought["appReceipt"])
            #expect(answer.names == ["status", "environment", "receipt"])
            #expect(answer["environment"] == "Production")
            let receipt = answer["receipt"]
            #expect(receipt["receipt_type"] == "Production")
            #expect(receipt["bundle_id"] == .string(Shop.app))
            #expect(receipt["app_item_id"] == 1_234_567_890 && receipt["adam_id"] == 1_234_567_890)
            #expect(receipt["receipt_creation_date"] == "2026-11-20 21:37:00 Etc/GMT")
            #expect(receipt["receipt_creation_date_ms"] == "1795210620000")
            #expect(receipt["receipt_creation_date_pst"] == "2026-11-20 13:37:00 America/Los_Angeles")
            #expect(receipt["request_date_ms"] == "1795210680000")
            #expect(receipt["original_purchase_date"] == "2013-08-01 07:00:00 Etc/GMT")
            #expect(receipt["original_purchase_date_pst"] == "2013-08-01 00:00:00 America/Los_Angeles")
            let entry = try #require(receipt["in_app"].elements.first)
            #expect(entry["quantity"] == "2")
            #expect(entry["product_id"] == "hints")
            #expect(entry["transaction_id"] == bought["transactionID"])
            #expect(entry["original_transaction_id"] == bought["transactionID"])
            #expect(entry["purchase_date_ms"] == "1795210620000")
            #expect(entry["is_trial_period"] == "false")
            #expect(entry["in_app_ownership_type"] == "PURCHASED")
            #expect(entry.names.isDisjoint(with: ["expires_date", "cancellation_date", "web_order_line_item_id"]))
        }
    }

    @Test func `A later refund shows in the answer about an old receipt`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("non-consumable")
            shop.clock.advance(by: 60)
            _ = try await shop.act("transactions/\(bought["transactionID"].text)/refund")
            shop.clock.advance(by: 60)
            let entries = try await shop.verifyReceipt(bought["appReceipt"])["receipt"]["in_app"].elements
            #expect(entries.count == 1)
            #expect(entries.first?["cancellation_date_ms"] == "1795210680000")
            #expect(entries.first?["cancellation_reason"] == "0")
        }
    }

    @Test func `Later renewals show in the answer about an old receipt`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club")
            let words = try await shop.buy("non-consumable", "words")["transactionID"]
            let id = bought["transactionID"].text
            shop.clock.advance(by: 3_600)
            let renewed = try await shop.act("subscriptions/\(id)/renew")["transactionID"]
            let answer = try await shop.verifyReceipt(bought["appReceipt"], ["password": "whatever"])
            #expect(answer["receipt"]["in_app"].elements.map { $0["transaction_id"].text } == [id])
            let latest = answer["latest_receipt_info"].elements
            #expect(Set(latest.map { $0["transaction_id"] }) == [.string(id), words, renewed])
            let newest = try #require(latest.first { $0["transaction_id"] == renewed })
            #expect(newest["original_transaction_id"] == .string(id))
            #expect(newest["expires_date"] == "2026-12-20 22:37:00 Etc/GMT")
            #expect(newest["web_order_line_item_id"].text.hasPrefix("2000"))
            #expect(newest["subscription_group_identifier"].text.count == 9)
            let again = try await shop.verifyReceipt(answer["latest_receipt"])
            #expect(again["receipt"]["in_app"].elements.count == 3)
            let short = try await shop.verifyReceipt(bought["appReceipt"], ["exclude-old-transactions": .bool(true)])
            #expect(Set(short["latest_receipt_info"].elements.map { $0["transaction_id"] }) == [words, renewed])
        }
    }

    @Test(arguments: [
        ("renew", ["auto_renew_status": "1"]),
        ("expire", ["auto_renew_status": "0", "expiration_intent": "1", "is_in_billing_retry_period": "0"]),
        (
            "grace",
            [
                "auto_renew_status": "1", "is_in_billing_retry_period": "1",
                "grace_period_expires_date": "2026-12-06 21:38:00 Etc/GMT",
                "grace_period_expires_date_ms": "1796593080000",
                "grace_period_expires_date_pst": "2026-12-06 13:38:00 America/Los_Angeles",
            ]
        ),
        (
            "billing-retry",
            ["auto_renew_status": "1", "expiration_intent": "2", "is_in_billing_retry_period": "1"]
        ),
        ("revoke", ["auto_renew_status": "0"]),
    ])
    func `The pending renewal info says how a subscription stands`(act: String, expected: [String: String]) async throws
    {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club")
            shop.clock.advance(by: 60)
            _ = try await shop.act("subscriptions/\(bought["transactionID"].text)/\(act)")
            let pending = try await shop.verifyReceipt(bought["appReceipt"])["pending_renewal_info"].elements
            var members = expected.mapValues { JSONValue.string($0) }
            members["original_transaction_id"] = bought["transactionID"]
            members["product_id"] = "club"
            members["auto_renew_product_id"] = "club"
            #expect(pending == [.object(members)])
        }
    }

    @Test func `An upgrade shows as upgraded and not as refunded`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club.basic")
            let id = bought["transactionID"].text
            shop.clock.advance(by: 60)
            _ = try await shop.act("subscriptions/\(id)/upgrade", ["productID": "club.gold"])
            let answer = try await shop.verifyReceipt(bought["appReceipt"])
            let old = try #require(answer["latest_receipt_info"].elements.first { $0["transaction_id"].text == id })
            #expect(old["is_upgraded"] == "true")
            #expect(old["cancellation_date"] == .null)
            #expect(answer["pending_renewal_info"].elements.map { $0["product_id"] } == ["club.gold"])
        }
    }
}
