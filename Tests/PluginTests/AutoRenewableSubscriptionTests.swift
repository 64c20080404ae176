import AutoRenewableSubscription
import Foundation
import InAppPurchase
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
        bought("gold", id, line: line, on: date, until: end, revoked: revoked, upgraded: upgraded)
    }

    static func silver(
        _ id: TransactionID, line: TransactionID = "1", on date: Date, until end: Date?, revoked: Bool = false,
        upgraded: Bool = false
    ) -> Transaction {
        bought("silver", id, line: line, on: date, until: end, revoked: revoked, upgraded: upgraded)
    }

    static func facts(grace: Date? = nil, retry: Bool = false) -> [TransactionID: RenewalFacts] {
        ["1": RenewalFacts(isInBillingRetry: retry, gracePeriodExpirationDate: grace, signedDate: march)]
    }

    static let oneLine: [Case] = [
        Case(
            testDescription: "runs", purchases: [gold("1", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "renewed",
            purchases: [gold("1", on: february, until: march), gold("2", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "ends now", purchases: [gold("1", on: february, until: today)], gold: .denied(.expired),
            silver: .denied(.expired)),
        Case(
            testDescription: "signed before its period starts", purchases: [gold("1", on: april, until: may)],
            gold: .granted(until: may), silver: .denied(.expired)),
        Case(
            testDescription: "without end", purchases: [gold("1", on: march, until: nil)],
            renewals: facts(grace: april, retry: true), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "refunded", purchases: [gold("1", on: march, until: april, revoked: true)],
            gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "an old period refunded, the current one stays",
            purchases: [gold("1", on: february, until: march, revoked: true), gold("2", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "the current period refunded",
            purchases: [gold("1", on: february, until: march), gold("2", on: march, until: april, revoked: true)],
            gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "Family Sharing gives access",
            purchases: [bought("gold", "1", on: march, until: april, ownershipType: .familyShared)],
            gold: .granted(until: april), silver: .denied(.expired)),
    ]

    static let billing: [Case] = [
        Case(
            testDescription: "grace", purchases: [gold("1", on: february, until: march)],
            renewals: facts(grace: april, retry: true), gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "grace is over, the store still tries", purchases: [gold("1", on: february, until: march)],
            renewals: facts(grace: today, retry: true), gold: .denied(.billingRetry), silver: .denied(.expired)),
        Case(
            testDescription: "billing retry without grace", purchases: [gold("1", on: february, until: march)],
            renewals: facts(retry: true), gold: .denied(.billingRetry), silver: .denied(.expired)),
        Case(
            testDescription: "billing failed for good", purchases: [gold("1", on: february, until: march)],
            renewals: facts(), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "paid after all: old grace says nothing", purchases: [gold("1", on: march, until: april)],
            renewals: facts(grace: today, retry: true), gold: .granted(until: april), silver: .denied(.expired)),
        Case(
            testDescription: "a refund ends grace", purchases: [gold("1", on: february, until: march, revoked: true)],
            renewals: facts(grace: april, retry: true), gold: .denied(.revoked), silver: .denied(.expired)),
        Case(
            testDescription: "the facts of another line", purchases: [gold("9", line: "9", on: february, until: march)],
            renewals: facts(grace: april, retry: true), gold: .denied(.expired), silver: .denied(.expired)),
    ]

    static let changes: [Case] = [
        Case(
            testDescription: "upgrade, which may expire earlier than what it replaced",
            purchases: [
                silver("1", on: march, until: noon("2027-03-01"), upgraded: true),
                gold("2", on: noon("2026-03-10"), until: april),
            ], gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "upgrade, and the old copy does not say so yet",
            purchases: [silver("1", on: march, until: april), gold("2", on: noon("2026-03-10"), until: april)],
            gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "upgrade with the old period refunded",
            purchases: [
                silver("1", on: march, until: april, revoked: true, upgraded: true),
                gold("2", on: noon("2026-03-10"), until: april),
            ], gold: .granted(until: april), silver: .denied(.revoked)),
        Case(
            testDescription: "the upgrade is not seen yet",
            purchases: [silver("1", on: march, until: april, upgraded: true)], gold: .denied(.expired),
            silver: .denied(.upgraded)),
        Case(
            testDescription: "downgrade at renewal",
            purchases: [gold("1", on: february, until: march), silver("2", on: march, until: april)],
            gold: .denied(.expired), silver: .granted(until: april)),
        Case(
            testDescription: "a downgrade that is signed ahead waits",
            purchases: [
                gold("1", on: march, until: noon("2026-03-16")), silver("2", on: noon("2026-03-16"), until: may),
            ],
            gold: .granted(until: noon("2026-03-16")), silver: .denied(.upgraded)),
        Case(
            testDescription: "a cross-grade of another duration likewise, back and forth",
            purchases: [
                silver("1", on: february, until: march), gold("2", on: march, until: noon("2026-03-15")),
                silver("3", on: noon("2026-03-15"), until: april),
            ], gold: .denied(.expired), silver: .granted(until: april)),
        Case(
            testDescription: "a renewal signed ahead and refunded",
            purchases: [
                gold("1", on: february, until: noon("2026-03-16")),
                gold("2", on: noon("2026-03-16"), until: may, revoked: true),
            ], gold: .granted(until: noon("2026-03-16")), silver: .denied(.expired)),
        Case(
            testDescription: "bought again after a gap, the trouble before it forgotten",
            purchases: [gold("1", on: january, until: february), gold("2", on: noon("2026-03-02"), until: today)],
            renewals: facts(retry: true), gold: .denied(.expired), silver: .denied(.expired)),
        Case(
            testDescription: "the upgrade expired",
            purchases: [
                silver("1", on: february, until: noon("2026-02-28"), upgraded: true),
                gold("2", on: noon("2026-02-10"), until: march),
            ], gold: .denied(.expired), silver: .denied(.upgraded)),
        Case(
            testDescription: "the upgrade was refunded",
            purchases: [
                silver("1", on: march, until: april, upgraded: true),
                gold("2", on: noon("2026-03-10"), until: april, revoked: true),
            ], gold: .denied(.revoked), silver: .denied(.upgraded)),
    ]

    static let severalLines: [Case] = [
        Case(
            testDescription: "the newest of two that run decides",
            purchases: [
                silver("1", on: march, until: april),
                gold("5", line: "5", on: noon("2026-03-02"), until: april),
            ],
            gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "one that runs before a newer one that does not",
            purchases: [
                silver("1", on: march, until: april),
                gold("5", line: "5", on: noon("2026-03-02"), until: april, revoked: true),
            ], gold: .denied(.revoked), silver: .granted(until: april)),
        Case(
            testDescription: "of one date the higher level",
            purchases: [silver("1", on: march, until: april), gold("5", line: "5", on: march, until: april)],
            gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "two of one product are worth the longer",
            purchases: [gold("6", line: "6", on: march, until: may), gold("5", line: "5", on: march, until: april)],
            gold: .granted(until: may), silver: .denied(.expired)),
        Case(
            testDescription: "the higher level before the newer",
            purchases: [
                gold("1", on: march, until: april),
                bought("silver", "5", line: "5", on: noon("2026-03-02"), until: may, ownershipType: .familyShared),
            ], gold: .granted(until: april), silver: .denied(.upgraded)),
        Case(
            testDescription: "Family Sharing revoked beside an own purchase",
            purchases: [
                silver("1", on: march, until: april),
                bought(
                    "gold", "5", line: "5", on: noon("2026-03-02"), until: may, revoked: true,
                    ownershipType: .familyShared),
            ], gold: .denied(.revoked), silver: .granted(until: april)),
        Case(
            testDescription: "none runs: the newest tells why",
            purchases: [silver("1", on: february, until: march), gold("5", line: "5", on: january, until: february)],
            renewals: facts(retry: true), gold: .denied(.expired), silver: .denied(.billingRetry)),
        Case(
            testDescription: "grace of one line before another that expired later",
            purchases: [
                silver("1", on: february, until: march),
                gold("5", line: "5", on: march, until: noon("2026-03-10")),
            ],
            renewals: facts(grace: april), gold: .denied(.expired), silver: .granted(until: april)),
    ]

    struct Leeway: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: RenewalFacts?
        var minutes: Int?
        var isRevoked = false
        /// How many minutes after the end access ends.
        var goesOn: Int
    }

    static let on = RenewalFacts(willAutoRenew: true, signedDate: march)
    static let leeways: [Leeway] = [
        Leeway(testDescription: "no facts", facts: nil, goesOn: 0),
        Leeway(testDescription: "will renew", facts: on, goesOn: 5),
        Leeway(testDescription: "as the product says", facts: on, minutes: 60, goesOn: 60),
        Leeway(testDescription: "none, as the product says", facts: on, minutes: 0, goesOn: 0),
        Leeway(
            testDescription: "cancelled", facts: RenewalFacts(willAutoRenew: false, signedDate: march), goesOn: 0),
        Leeway(testDescription: "not said", facts: RenewalFacts(signedDate: march), goesOn: 0),
        Leeway(
            testDescription: "billing failed",
            facts: RenewalFacts(willAutoRenew: true, isInBillingRetry: true, signedDate: march), goesOn: 0),
        Leeway(
            testDescription: "billing failed before this purchase",
            facts: RenewalFacts(willAutoRenew: true, isInBillingRetry: true, signedDate: january), goesOn: 5),
        Leeway(
            testDescription: "the price increase was refused",
            facts: RenewalFacts(willAutoRenew: true, expirationReason: 3, signedDate: march), goesOn: 0),
        Leeway(testDescription: "refunded", facts: on, isRevoked: true, goesOn: 0),
        Leeway(
            testDescription: "grace is longer",
            facts: RenewalFacts(
                willAutoRenew: true, isInBillingRetry: true, gracePeriodExpirationDate: today + 7_200,
                signedDate: march), goesOn: 120),
    ]

    /// Word of a renewal is a minute or two on its way.
    @Test(arguments: leeways) func goesOnForAWhile(example: Leeway) {
        let period = Self.gold("1", on: Self.february, until: Self.today, revoked: example.isRevoked)
        let terms = AutoRenewableSubscription(renewalLeewayMinutes: example.minutes)
        for minute in [0, 1, 4, 5, 59, 60, 119, 120] {
            let access = AutoRenewableSubscription.entitlement(
                to: "gold", by: [period], terms: terms, renewals: example.facts.map { ["1": $0] } ?? [:],
                at: Self.today + Double(minute) * 60
            ).access
            let end = Self.today + Double(example.goesOn) * 60
            #expect(access.isGranted == (minute < example.goesOn))
            #expect(!access.isGranted || access == .granted(until: end))
        }
    }

    @Test(arguments: oneLine + billing + changes + severalLines) func decides(example: Case) {
        let purchases = example.purchases.map {
            Purchase(
                transaction: $0,
                terms: AutoRenewableSubscription(group: "club", level: $0.productID == "gold" ? 1 : 2))
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

    @Test func creditsAreEarnedByEveryPeriodThatWasBought() {
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
