import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

private typealias Body = VerifyReceiptBody

/// The iOS 6 style, for transaction receipts.
@Suite struct TransactionReceiptAnswerTests {
    @Test func `The answer about a transaction receipt is read`() throws {
        let answer = try Body.answer(Body.iOS6, from: .sandbox)
        var details = PurchaseDetails()
        details.appVersion = "1.0"
        #expect(answer.bundleID == "com.example.hangman")
        #expect(answer.appAppleID == 1_234_567_890)
        #expect(
            answer.receipt.transactions == [
                Transaction(
                    id: "1000000100", originalID: "1000000001", app: "com.example.hangman", environment: .sandbox,
                    productID: "com.example.hangman.club.monthly", purchaseDate: .t0 - 60,
                    originalPurchaseDate: .t0 - 620, expirationDate: .t0 + 10, details: details, signedDate: .t0,
                    isSigned: false)
            ])
    }

    @Test(arguments: ["latest_receipt_info", "latest_expired_receipt_info"])
    func `The newest transaction and its renewal facts are read from an iOS 6 answer`(_ name: String) throws {
        let newest = Body.transaction([
            "transaction_id": "1000000300", "purchase_date": "2026-11-20 21:37:00 Etc/GMT",
        ])
        let body = Body.iOS6.with([
            "status": 21006, name: newest, "auto_renew_status": 0, "expiration_intent": "1",
            "auto_renew_product_id": "com.example.hangman.club.monthly", "is_in_billing_retry_period": "0",
        ])
        let answer = try Body.answer(body)
        #expect(answer.receipt.transactions.map(\.id) == ["1000000100", "1000000300"])
        let key = OriginalTransaction.Key(
            app: "com.example.hangman", environment: .production, originalID: "1000000001")
        var facts = RenewalFacts(
            willAutoRenew: false, autoRenewProductID: "com.example.hangman.club.monthly", expirationReason: 1,
            signedDate: .t0)
        // It is not retried any more.
        facts.status = RenewalFacts.Status(number: 2, date: .t0)
        #expect(answer.receipt.renewals == [key: facts])
    }

    /// Of one transaction reported twice with one date, the later end is the true one.
    @Test func `The later of two ends of one transaction counts`() throws {
        let expired = Body.transaction(["expires_date": "1795210650000"])
        let answer = try Body.answer(Body.iOS6.with(["status": 21006, "latest_expired_receipt_info": expired]))
        #expect(answer.receipt.transactions.map(\.expirationDate) == [.t0 + 30])
    }
}
