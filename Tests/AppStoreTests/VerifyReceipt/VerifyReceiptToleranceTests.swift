import Foundation
import InAppPurchase
import StoreClient
import Testing

@testable import AppStore

private typealias Body = VerifyReceiptBody

/// Answers that the store, and others that imitate it, were seen to send.
@Suite struct VerifyReceiptToleranceTests {
    /// Seen in practice: numbers and booleans for strings, dates in one form only.
    @Test(
        arguments: [
            ["quantity": 1], ["quantity": nil], ["is_trial_period": false], ["expires_date_ms": 1_795_210_720_000],
            ["expires_date_ms": nil], ["expires_date_ms": ""], ["expires_date": nil], ["purchase_date_ms": nil],
            ["purchase_date": .null], ["transaction_id": 1_000_000_100], ["is_upgraded": "false"],
            ["cancellation_date": ""], ["cancellation_date": .null], ["something_new": ["deep": [1, ["er": 2.5]]]],
            ["web_order_line_item_id": 18_446_744_073_709.5],
            ["expires_date_ms": nil, "expires_date": "1795210720000"],
        ] as [[String: JSONValue?]])
    func `Numbers, booleans and dates are read in any form`(_ members: [String: JSONValue?]) throws {
        let answer = try Body.answer(Body.unified([:], receipt: ["in_app": [Body.entry.with(members)]]))
        #expect(answer.receipt.transactions == [Body.subscription(stated: .t0 - 50)])
    }

    static let unreadable: [JSONValue] = [
        [:], .null, 7, "text", [[]], Body.entry.with(["transaction_id": nil]), Body.entry.with(["transaction_id": "x"]),
        Body.entry.with(["original_transaction_id": "-5"]), Body.entry.with(["product_id": ""]),
        Body.entry.with(["quantity": "0"]), Body.entry.with(["quantity": "-1"]),
        Body.entry.with(["quantity": "99999999999999999999"]),
        Body.entry.with([
            "purchase_date": "2026-11-20 21:36:00 America/Los_Angeles", "purchase_date_ms": "253402300800000",
            "original_purchase_date": "yesterday", "original_purchase_date_ms": "-1",
        ]),
    ]

    @Test(arguments: unreadable) func `One unreadable entry does not affect the others`(_ entry: JSONValue) throws {
        let answer = try Body.answer(Body.unified([:], receipt: ["in_app": [entry, Body.entry]]))
        #expect(answer.unreadableEntries == 1)
        #expect(answer.receipt.transactions == [Body.subscription(stated: .t0 - 50)])
    }

    /// The app must not finish what was paid for because this server cannot read the answer.
    @Test(arguments: unreadable)
    func `An answer with unreadable entries only is temporary trouble`(_ entry: JSONValue) throws {
        let result = try Body.result(Body.unified([:], receipt: ["in_app": [entry]]))
        #expect(result.unavailability == Unavailability(.temporary))
    }

    @Test func `An answer without a bundle ID is temporary trouble`() throws {
        #expect(try Body.result(["status": 0]).unavailability == Unavailability(.temporary))
        #expect(try Body.result(["status": 0, "receipt": "text"]).unavailability == Unavailability(.temporary))
        let body = Body.unified([:], receipt: ["bundle_id": ""])
        #expect(try Body.result(body).unavailability == Unavailability(.temporary))
    }

    @Test func `The number of transactions in an answer is limited`() throws {
        let limit = VerifyReceiptAnswer.maximumTransactions
        let many = Body.unified([:], receipt: ["in_app": .array(Array(repeating: Body.entry, count: limit))])
        #expect(try Body.answer(many).receipt.transactions.count == 1)
        let tooMany = many.with(["latest_receipt_info": [Body.entry]])
        #expect(try Body.result(tooMany).rejection == ReceiptRejection(.malformed))
    }

    @Test func `An answer for the environment of Xcode is refused`() throws {
        #expect(try Body.result(Body.unified(["environment": "Xcode"])).rejection == ReceiptRejection(.environment))
    }
}
