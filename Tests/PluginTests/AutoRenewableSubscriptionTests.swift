import AutoRenewableSubscription
import Foundation
import InAppPurchase
import TestSupport
import Testing

/// A group of two products: `gold` of level 1, `silver` of level 2. Today is 15 March.
@Suite struct AutoRenewableSubscriptionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var purchases: [Transaction]
        var renewals: [TransactionID: RenewalFacts] = [:]
        /// The access to `gold` and to `silver`.
        var gold: Access
        var silver: Access
    }

    static let today = noon("2026-03-15")
    static let (january, february, march) = (noon("2026-01-01"), noon("2026-02-01"), noon("2026-03-01"))
    static let (april, may) = (noon("2026-04-01"), noon("2026-05-01"))

    static func gold(
        _ id: TransactionID, line: TransactionID = "1", on date: Date, until end: Date?, revoked: Bool = false,
        upgraded: Bool = false
    ) -> Transaction {
        bought("gold", id, original: line, on: date, until: end, revoked: revoked, upgraded: upgraded)
    }

    static func silver(
        _ id: TransactionID, line: TransactionID = "1", on date: Date, until end: Date?, revoked: Bool = false,
        upgraded: Bool = false
    ) -> Transaction {
        bought("silver", id, original: line, on: date, until: end, revoked: revoked, upgraded: upgraded)
    }

    /// - Parameter status: Apple's number, and when it was stated.
    static func facts(
        grace: Date? = nil, retry: Bool = false, renews: Bool? = nil, status: (Int, Date)? = nil
    ) -> [TransactionID: RenewalFacts] {
        var facts = RenewalFacts(
            willAutoRenew: renews, isInBillingRetry: retry, gracePeriodExpirationDate: grace, signedDate: march)
        facts.status = status.map { RenewalFacts.Status(number: $0, date: $1) }
        return ["1": facts]
    }

    @Test(arguments: oneLine + billing + statuses + changes + severalLines)
    func `Access to an auto-renewable subscription follows its periods, renewals and level`(example: Case) {
        let purchases = example.purchases.map {
            Purchase(
                transaction: $0, terms: AutoRenewableSubscription(group: "club", level: $0.productID == "gold" ? 1 : 2))
        }
        var history = PurchaseHistory(purchases: purchases, renewals: example.renewals)
        for _ in 0..<2 {
            history.purchases.reverse()
            let (gold, silver) = (access(to: "gold", given: history), access(to: "silver", given: history))
            #expect((gold, silver) == (example.gold, example.silver))
        }
    }

    private func access(to product: ProductID, given history: PurchaseHistory<AutoRenewableSubscription>) -> Access {
        AutoRenewableSubscription.entitlement(to: product, given: history, at: Self.today).access
    }

    @Test func `Every period that was bought earns credits, unless it was refunded or shared`() {
        let periods = [
            Self.gold("1", on: Self.february, until: Self.march), Self.gold("2", on: Self.march, until: Self.april),
            Self.gold("3", on: Self.april, until: Self.may, revoked: true),
            bought("gold", "7", on: Self.march, until: Self.april, ownershipType: .familyShared),
        ]
        let entitlement = AutoRenewableSubscription.entitlement(
            to: "gold", by: periods, terms: AutoRenewableSubscription(), credits: ["gems": 5, "hints": 1],
            at: Self.today)
        #expect(entitlement.credits == ["gems": 10, "hints": 2])
    }
}
