import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// Subscriptions that are billed by the month, with a commitment of twelve (Apple, "Managing the life cycle of monthly
/// subscriptions with a 12-month commitment").
@Suite struct CommitmentTests {
    /// A month takes five minutes.
    private static let monthly: [String: JSONValue] = [
        "billingPlanType": "MONTHLY", "price": 1_990, "accelerated": .bool(true),
    ]
    private static let month = 300

    private static func date(after seconds: Int) -> JSONValue {
        .integer(TestClock.start.milliseconds + seconds * 1_000)
    }

    private static func advance(_ shop: Shop, seconds: Int) async throws {
        let body: JSONValue = ["advanceSeconds": .integer(seconds)]
        try #require(try await shop.send(.post, "/simulator/v1/clock", body).status == .ok)
    }

    @Test func `Twelve billing periods are a commitment, and another one follows`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            _ = try await shop.buy("auto-renewable", "club", Self.monthly)
            try await Self.advance(shop, seconds: 12 * Self.month)
            let reported = try await shop.reported()
            try #require(reported.count == 13)
            for (index, entry) in reported.enumerated() {
                let end = Self.date(after: (index / 12 + 1) * 12 * Self.month)
                #expect(entry.kind == (index == 0 ? "SUBSCRIBED/INITIAL_BUY" : "DID_RENEW"))
                #expect(entry.transaction["billingPlanType"] == "MONTHLY" && entry.transaction["price"] == 1_990)
                #expect(entry.transaction["expiresDate"] == Self.date(after: (index + 1) * Self.month))
                #expect(
                    entry.transaction["commitmentInfo"] == [
                        "billingPeriodNumber": .integer(index % 12 + 1), "totalBillingPeriods": 12,
                        "commitmentPrice": 23_880, "commitmentExpiresDate": end,
                    ])
                #expect(entry.renewal["renewalBillingPlanType"] == "MONTHLY" && entry.renewal["renewalPrice"] == 1_990)
                #expect(
                    entry.renewal["commitmentInfo"] == [
                        "commitmentAutoRenewProductId": "club", "commitmentAutoRenewStatus": 1,
                        "commitmentRenewalBillingPlanType": "MONTHLY", "commitmentRenewalDate": end,
                        "commitmentRenewalPrice": 23_880,
                    ])
            }
        }
    }

    @Test func `A cancelled commitment is billed to its end`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let bought = try await shop.buy("auto-renewable", "club", Self.monthly)
            try await Self.advance(shop, seconds: 2 * Self.month + 10)
            let answer = try await shop.act("subscriptions/\(bought["transactionID"].text)/cancel")
            let renewal = try SignedMessage.payload(answer["signedRenewalInfo"])
            #expect(renewal["autoRenewStatus"] == 1 && renewal["renewalPrice"] == 1_990)
            #expect(renewal["commitmentInfo"]["commitmentAutoRenewStatus"] == 0)
            #expect(!renewal["commitmentInfo"].names.contains("commitmentRenewalPrice"))
            // verifyReceipt says the same of the next period.
            let receipt = try await shop.verifyReceipt(bought["appReceipt"])
            #expect(receipt["pending_renewal_info"].elements.map { $0["auto_renew_status"] } == ["1"])
            try await Self.advance(shop, seconds: 24 * Self.month)
            let reported = try await shop.reported()
            let renewals = [String](repeating: "DID_RENEW", count: 9)
            #expect(
                reported.map(\.kind) == [
                    "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW",
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                ] + renewals + ["EXPIRED/VOLUNTARY"])
            #expect(reported.suffix(3).map { $0.renewal["autoRenewStatus"] } == [1, 0, 0])
            #expect(reported.last?.date == TestClock.start + Double(12 * Self.month))
        }
    }

    @Test func `Another product and price follow when the commitment ends`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.monthly)["transactionID"].text
            let answer = try await shop.act(
                "subscriptions/\(id)/downgrade", ["productID": "basic", "price": 990, "period": "P2M"])
            let renewal = try SignedMessage.payload(answer["signedRenewalInfo"])
            #expect(renewal["autoRenewProductId"] == "club" && renewal["renewalPrice"] == 1_990)
            #expect(renewal["commitmentInfo"]["commitmentAutoRenewProductId"] == "basic")
            #expect(renewal["commitmentInfo"]["commitmentRenewalPrice"] == 990)
            #expect(!renewal["commitmentInfo"].names.contains("commitmentRenewalBillingPlanType"))
            try await Self.advance(shop, seconds: 12 * Self.month)
            let transactions = try await shop.reported().filter { $0.kind == "DID_RENEW" }.map(\.transaction)
            #expect(
                transactions.map { $0["productId"] }
                    == [JSONValue](repeating: "club", count: 11) + ["basic"])
            let last = try #require(transactions.last)
            #expect(last["price"] == 990 && last["expiresDate"] == Self.date(after: 14 * Self.month))
            #expect(last.names.isDisjoint(with: ["billingPlanType", "commitmentInfo"]))
        }
    }

    /// There is no grace period, and billing is tried for 90 days, of ten seconds each.
    @Test(arguments: ["grace", "billing-retry"])
    func `A commitment ends when billing does not recover`(act: String) async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.monthly)["transactionID"].text
            _ = try await shop.act("subscriptions/\(id)/\(act)")
            try await Self.advance(shop, seconds: 12 * Self.month)
            let reported = try await shop.reported()
            #expect(
                reported.map(\.kind) == ["SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW", "EXPIRED/BILLING_RETRY"])
            #expect(reported.map(\.status) == [1, 3, 2])
            #expect(reported.last?.date == TestClock.start + 900)
            #expect(reported.last?.renewal["autoRenewStatus"] == 0)
        }
    }

    @Test func `A commitment that recovers ends later, cancelled or not`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.monthly)["transactionID"].text
            let trouble: JSONValue = ["act": "billing-retry", "after": "PT5M", "body": ["recoversAfter": "PT20S"]]
            let plan: JSONValue = ["acts": .array([["act": "cancel", "after": "PT1M"], trouble])]
            #expect(try await shop.send(.post, "/simulator/v1/subscriptions/\(id)/plan", plan).status == .accepted)
            try await Self.advance(shop, seconds: Self.month + 30)
            let recovered = try #require(try await shop.reported().last)
            #expect(recovered.kind == "DID_RENEW/BILLING_RECOVERY")
            #expect(recovered.transaction["commitmentInfo"]["billingPeriodNumber"] == 2)
            let end = Self.date(after: 12 * Self.month + 20)
            #expect(recovered.transaction["commitmentInfo"]["commitmentExpiresDate"] == end)
            #expect(recovered.renewal["commitmentInfo"]["commitmentAutoRenewStatus"] == 0)
        }
    }

    @Test func `A refund of the current period ends the commitment`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.monthly)["transactionID"].text
            let answer = try await shop.act("transactions/\(id)/refund")
            #expect(try SignedMessage.payload(answer["signedRenewalInfo"])["autoRenewStatus"] == 0)
            try await Self.advance(shop, seconds: 12 * Self.month)
            #expect(try await shop.reported().map(\.kind) == ["SUBSCRIBED/INITIAL_BUY", "REFUND"])
        }
    }

    /// The product information has the price of the year.
    @Test(
        arguments: [
            ("MONTHLY", 1_000, 30, 12_000), ("BILLED_UPFRONT", 12_000, 365, .null), (.null, 12_000, 365, .null),
        ] as [(JSONValue, Int, Int, JSONValue)])
    func `A product of a year is sold by the month or at once`(
        plan: JSONValue, price: Int, days: Int, commitment: JSONValue
    ) async throws {
        try await Shop.open { shop in
            let product: JSONValue = [
                "id": "club", "type": "auto-renewable", "displayName": "Club", "price": 12_000, "period": "P1Y",
            ]
            let products: JSONValue = ["bundleID": .string(Shop.app), "products": .array([product])]
            try #require(try await shop.send(.put, "/simulator/v1/products", products).status == .noContent)
            let bought = try await shop.buy("auto-renewable", "club", ["billingPlanType": plan])
            // A subscription that begins again is billed in the same way.
            let id = bought["transactionID"].text
            _ = try await shop.act("subscriptions/\(id)/expire")
            let again = try await shop.act("subscriptions/\(id)/resubscribe")
            for answer in [bought, again] {
                let payload = try SignedMessage.payload(answer["signedTransaction"])
                #expect(payload["price"] == .integer(price) && payload["billingPlanType"] == plan)
                let end = TestClock.start.milliseconds + days * 86_400_000
                #expect(payload["expiresDate"] == .integer(end))
                #expect(payload["commitmentInfo"]["commitmentPrice"] == commitment)
            }
        }
    }

    @Test func `A commitment has no period of its own`() async throws {
        try await Shop.open { shop in
            let order: JSONValue = [
                "bundleID": "a", "productID": "b", "type": "auto-renewable", "billingPlanType": "MONTHLY",
                "period": "P1Y",
            ]
            let answer = try await shop.send(.post, "/simulator/v1/purchases", order)
            #expect(answer.status == .unprocessableContent && answer.json["detail"].text.hasPrefix("period: "))
        }
    }
}
