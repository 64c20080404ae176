import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

private typealias Body = VerifyReceiptBody

/// The style for app receipts.
@Suite struct VerifyReceiptAnswerTests {
    @Test func `The answer about an app receipt is read`() throws {
        let answer = try Body.answer(Body.unified)
        #expect(answer.bundleID == "com.example.hangman")
        #expect(answer.appAppleID == 1_234_567_890)
        #expect(answer.environment == .production)
        #expect(answer.unreadableEntries == 0)
        #expect(answer.receipt.transactions == [Body.subscription(stated: .t0 - 50)])
        #expect(answer.receipt.renewals.isEmpty)
    }

    @Test func `An answer without purchases is read`() throws {
        #expect(try Body.answer(Body.unified([:], receipt: ["in_app": []])).receipt.transactions.isEmpty)
        #expect(try Body.answer(Body.unified([:], receipt: ["in_app": nil])).receipt.transactions.isEmpty)
    }

    /// The two copies of one transaction become one: the refund is known from the newer.
    @Test func `The latest info of an answer counts over the receipt`() throws {
        let refunded = Body.entry.with(Body.times("cancellation_date", .t0 - 10)).with(["cancellation_reason": "1"])
        let renewed = Body.entry.with(["transaction_id": "1000000200"]).with(Body.times("purchase_date", .t0 - 5))
        let answer = try Body.answer(Body.unified(["latest_receipt_info": [renewed, refunded]]))
        var first = Body.subscription(stated: .t0 - 50)
        var copy = Body.subscription(stated: .t0 - 1)
        copy.revocation = .init(date: .t0 - 10, reason: 1)
        copy.details?.revocation = RevocationDetails(date: .t0 - 10, reason: 1)
        first.merge(copy)
        #expect(
            answer.receipt.transactions
                == [first, Body.subscription(id: "1000000200", purchase: .t0 - 5, stated: .t0 - 1)])
        #expect(answer.receipt.transactions.first?.revocation?.reason == 1)
        #expect(answer.receipt.transactions.first?.signedDate == .t0 - 1)
    }

    @Test func `An upgrade in an answer is no refund`() throws {
        let upgraded = Body.entry.with(Body.times("cancellation_date", .t0)).with(["is_upgraded": "true"])
        let answer = try Body.answer(Body.unified([:], receipt: ["in_app": [upgraded]]))
        let transaction = try #require(answer.receipt.transactions.first)
        #expect(transaction.isUpgraded)
        #expect(transaction.revocation == nil)
    }

    @Test func `Renewal facts are read from an answer`() throws {
        let answer = try Body.answer(Body.unified(["pending_renewal_info": [Body.renewal, ["product_id": "no line"]]]))
        let key = OriginalTransaction.Key(
            app: "com.example.hangman", environment: .production, originalID: "1000000001")
        #expect(
            answer.receipt.renewals == [
                key: RenewalFacts(
                    willAutoRenew: true, autoRenewProductID: "com.example.hangman.club.yearly", isInBillingRetry: true,
                    gracePeriodExpirationDate: .t0 + 7, expirationReason: 2, signedDate: .t0 - 1)
            ])
    }

    @Test(
        arguments: [
            (["price_increase_status": "0"], 0, nil), (["price_consent_status": "1"], 1, nil),
            (["price_increase_status": "1", "price_consent_status": "0"], 1, nil),
            (["is_in_billing_retry_period": "0"], nil, 2), ([:], nil, nil),
            (["is_in_billing_retry_period": "0", "expiration_intent": .null], nil, nil),
        ] as [([String: JSONValue], Int?, Int?)])
    func `The answer to a price increase, and the end of retries, are read from an answer`(
        _ members: [String: JSONValue], price: Int?, status: Int?
    ) throws {
        guard case .object(let usual) = Body.renewal else { return }
        let renewal = JSONValue.object(usual.merging(members) { $1 })
        let answer = try Body.answer(Body.unified(["pending_renewal_info": [renewal]]))
        let facts = try #require(answer.receipt.renewals.values.first)
        #expect(facts.priceIncrease == price)
        #expect(facts.status?.number == status)
    }

    @Test(
        arguments: [
            ("Sandbox", Environment.production, Environment.sandbox), ("Production", .production, .production),
            (nil, .sandbox, .sandbox), (nil, .production, .production),
        ] as [(String?, Environment, Environment)])
    func `The environment of an answer is read`(_ name: String?, _ endpoint: Environment, _ environment: Environment)
        throws
    {
        let body = Body.unified(["environment": name.map(JSONValue.string)])
        let answer = try Body.answer(body, from: endpoint)
        #expect(answer.environment == environment)
        #expect(answer.receipt.transactions.map(\.environment) == [environment])
    }

    @Test func `The number 0 of an app in an answer is none`() throws {
        #expect(try Body.answer(Body.unified([:], receipt: ["adam_id": 0, "app_item_id": 0])).appAppleID == nil)
        #expect(try Body.answer(Body.unified([:], receipt: ["adam_id": "77", "app_item_id": nil])).appAppleID == 77)
    }
}
