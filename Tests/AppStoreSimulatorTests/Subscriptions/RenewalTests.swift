import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

/// Subscriptions go on while nothing but time passes.
@Suite struct RenewalTests {
    private static let week: [String: JSONValue] = ["period": "P7D", "price": 4_990, "storefront": "DEU"]

    @Test func `A subscription renews by itself`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.week)["transactionID"]
            try await shop.advance(days: 21.5)
            let reported = try await shop.reported()
            #expect(reported.map(\.kind) == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW", "DID_RENEW"])
            #expect(reported.map(\.date) == [0, 7, 14, 21].map { TestClock.start + $0 * Shop.day })
            #expect(reported.map { $0.transaction["purchaseDate"] } == reported.map { .integer($0.date.milliseconds) })
            #expect(
                reported.map { $0.transaction["expiresDate"] }
                    == reported.map { .integer(($0.date + 7 * Shop.day).milliseconds) })
            #expect(
                reported.map { $0.transaction["transactionReason"] } == ["PURCHASE", "RENEWAL", "RENEWAL", "RENEWAL"])
            #expect(reported.allSatisfy { $0.transaction["originalTransactionId"] == id && $0.status == 1 })
            #expect(reported.allSatisfy { $0.transaction["price"] == 4_990 && $0.transaction["currency"] == "EUR" })
            #expect(reported.allSatisfy { $0.renewal["renewalPrice"] == 4_990 && $0.renewal["autoRenewStatus"] == 1 })
            let names = ["transactionId", "webOrderLineItemId"]
            for name in names { #expect(Set(reported.map { $0.transaction[name].text }).count == 4) }
        }
    }

    /// The notifications in the 100 days after the purchase, if this happens on day 3.
    @Test(
        arguments: [
            ("cancel", nil, ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 3", "EXPIRED/VOLUNTARY 7"]),
            ("expire", ["reason": "product-not-for-sale"], ["EXPIRED/PRODUCT_NOT_FOR_SALE 3"]),
            ("price-increase", nil, ["PRICE_INCREASE/PENDING 3", "EXPIRED/PRICE_INCREASE 7"]),
            ("billing-retry", nil, ["DID_FAIL_TO_RENEW 3", "EXPIRED/BILLING_RETRY 63"]),
            (
                "grace", nil,
                ["DID_FAIL_TO_RENEW/GRACE_PERIOD 3", "GRACE_PERIOD_EXPIRED 9", "EXPIRED/BILLING_RETRY 63"]
            ),
            (
                "grace", ["days": 3, "recoversAfter": "P80D"],
                ["DID_FAIL_TO_RENEW/GRACE_PERIOD 3", "GRACE_PERIOD_EXPIRED 6", "EXPIRED/BILLING_RETRY 63"]
            ),
            ("revoke", nil, ["REFUND 3"]),
        ] as [(String, JSONValue?, [String])])
    func `An act such as cancelling or expiring stops the renewals`(act: String, body: JSONValue?, expected: [String])
        async throws
    {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.week)["transactionID"].text
            try await shop.advance(days: 3)
            _ = try await shop.act("subscriptions/\(id)/\(act)", body)
            for _ in 0..<4 { try await shop.advance(days: 25) }
            let reported = try await shop.reported().dropFirst()
            #expect(reported.map { "\($0.kind) \(Self.days($0.date))" } == expected)
            #expect(reported.last?.renewal.names.contains("renewalPrice") == false)
        }
    }

    /// If the customer pays within the grace period the billing date stays; later, there is a new one.
    @Test(arguments: [
        (
            "grace", "P2D",
            ["DID_FAIL_TO_RENEW/GRACE_PERIOD 7", "DID_RENEW/BILLING_RECOVERY 9", "DID_RENEW 14"], 7.0
        ),
        (
            "grace", "P10D",
            [
                "DID_FAIL_TO_RENEW/GRACE_PERIOD 7", "GRACE_PERIOD_EXPIRED 13", "DID_RENEW/BILLING_RECOVERY 17",
                "DID_RENEW 24",
            ], 17.0
        ),
        (
            "billing-retry", "P2D", ["DID_FAIL_TO_RENEW 7", "DID_RENEW/BILLING_RECOVERY 9", "DID_RENEW 16"], 9.0
        ),
    ])
    func `Billing recovers with the old date within the grace period and a new one after it`(
        act: String, after duration: String, expected: [String], start: Double
    ) async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.week)["transactionID"].text
            // On the day of the renewal, before it.
            let plan: JSONValue = ["act": .string(act), "after": "P7D", "body": ["recoversAfter": .string(duration)]]
            let answer = try await shop.send(
                .post, "/simulator/v1/subscriptions/\(id)/plan", ["acts": .array([plan])])
            #expect(answer.status == .accepted && answer.json == ["planned": 1])
            try await shop.advance(days: 27)
            let reported = try await shop.reported().dropFirst()
            #expect(reported.prefix(expected.count).map { "\($0.kind) \(Self.days($0.date))" } == expected)
            let recovered = try #require(reported.first { $0.kind == "DID_RENEW/BILLING_RECOVERY" })
            #expect(
                recovered.transaction["purchaseDate"] == .integer((TestClock.start + start * Shop.day).milliseconds))
            #expect(recovered.renewal["isInBillingRetryPeriod"] == .bool(false))
        }
    }

    @Test func `A subscription without renewals does nothing`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let never = Self.week.merging(["renews": .bool(false)]) { $1 }
            _ = try await shop.buy("auto-renewable", "club", never)
            // A subscription that was over when it was bought stays over.
            let past = Self.week.merging(["purchaseDate": "2026-01-01T00:00:00Z"]) { $1 }
            _ = try await shop.buy("auto-renewable", "club", past)
            try await shop.advance(days: 60)
            #expect(try await shop.reported().map(\.kind) == ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE"])
        }
    }

    /// The sandbox's periods, and its end after 12 renewals.
    @Test(arguments: [("P7D", 180), ("P1M", 300), ("P2M", 600), ("P3M", 900), ("P6M", 1_800), ("P1Y", 3_600)])
    func `An accelerated subscription has the periods of the sandbox`(period: String, seconds: Int) async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let order: [String: JSONValue] = [
                "period": .string(period), "environment": "Sandbox", "accelerated": .bool(true),
            ]
            _ = try await shop.buy("auto-renewable", "club", order)
            try await shop.advance(days: 1)
            let reported = try await shop.reported(in: "sandbox")
            let renewals = [String](repeating: "DID_RENEW", count: 12)
            #expect(reported.map(\.kind) == ["SUBSCRIBED/INITIAL_BUY"] + renewals + ["EXPIRED/VOLUNTARY"])
            #expect(reported.map(\.date) == (0..<14).map { TestClock.start + Double($0 * seconds) })
        }
    }

    /// Also while nobody looks, and after a restart.
    @Test func `Planned acts happen after a restart`() async throws {
        let (store, clock) = (MemoryKeyValueStore(), TestClock())
        try await Shop.open(store, clock: clock) { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.week)["transactionID"].text
            let plan: JSONValue = ["acts": .array([["act": "cancel", "after": "P9D"]])]
            #expect(try await shop.send(.post, "/simulator/v1/subscriptions/\(id)/plan", plan).status == .accepted)
        }
        clock.advance(by: 30 * Shop.day)
        try await Shop.open(store, clock: clock) { shop in
            let reported = try await shop.reported()
            #expect(
                reported.map { "\($0.kind) \(Self.days($0.date))" } == [
                    "SUBSCRIBED/INITIAL_BUY 0", "DID_RENEW 7", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 9",
                    "EXPIRED/VOLUNTARY 14",
                ])
        }
    }

    @Test(
        arguments: [
            ["acts": .array([["act": "dance", "after": "P1D"]])], ["acts": .array([["act": "renew"]])],
            ["acts": .array([["act": "renew", "at": "2020-01-01T00:00:00Z"]])],
            ["acts": .array([["act": "renew", "at": "tomorrow"]])], [:],
            ["acts": .array([["act": "upgrade", "after": "P1D", "body": [:]]])],
            ["acts": .array([["act": "refund", "after": "P1D", "body": ["percentage": 100_001]]])],
        ] as [JSONValue])
    func `A malformed plan is refused`(plan: JSONValue) async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable", "club", Self.week)["transactionID"].text
            let answer = try await shop.send(.post, "/simulator/v1/subscriptions/\(id)/plan", plan)
            #expect(answer.status == .unprocessableContent && answer.json["code"] == "invalid_request")
            let words = try await shop.buy("non-consumable", "words")["transactionID"].text
            let good: JSONValue = ["acts": .array([["act": "renew", "after": "P1D"]])]
            #expect(try await shop.send(.post, "/simulator/v1/subscriptions/\(words)/plan", good).status == .notFound)
        }
    }

    private static func days(_ date: Date) -> String {
        (date.timeIntervalSince(TestClock.start) / Shop.day).formatted(.number.precision(.fractionLength(0...2)))
    }
}
