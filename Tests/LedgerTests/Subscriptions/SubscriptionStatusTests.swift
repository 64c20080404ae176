import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Ledger

/// The state of a subscription that an app is shown, from what the App Store said.
@Suite struct SubscriptionStatusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var offer: PurchaseOffer?
        var isTrialPeriod: Bool?
        var isIntroductoryPeriod: Bool?
        var isSigned = true
        var billingPlan: String?
        var commitment: CommitmentDetails?
        /// A statement about the renewal, signed on a day; the period is from day 0 to day 30.
        var renewal: RenewalFacts?
        /// The day that the status is asked for.
        var asked = 10
        /// The members that are shown, each with its value.
        var reported: [String: String]
    }

    private static func renewal(
        on day: Int = 1, willRenew: Bool = true, to product: ProductID? = "club", retry: Bool = false,
        grace: Int? = nil, reason: Int? = nil, _ change: (inout RenewalDetails) -> Void = { _ in }
    ) -> RenewalFacts {
        var details = RenewalDetails(signedDate: LedgerTests.day(day))
        details.renewalDate = LedgerTests.day(30)
        change(&details)
        return RenewalFacts(
            willAutoRenew: willRenew, autoRenewProductID: product, isInBillingRetry: retry,
            gracePeriodExpirationDate: grace.map(LedgerTests.day), expirationReason: reason, details: details,
            signedDate: LedgerTests.day(day))
    }

    private static let renews = ["willRenew": "true", "renewsTo": "club", "renewsAt": "30"]

    static let cases: [Case] = [
        Case(testDescription: "nothing known of the renewal", reported: ["phase": "standard"]),
        Case(testDescription: "renews", renewal: renewal(), reported: renews.merging(["phase": "standard"]) { $1 }),
        Case(
            testDescription: "a trial", offer: PurchaseOffer(type: 1, discountType: "FREE_TRIAL", period: "P1W"),
            reported: ["phase": "trial", "offer": "1"]),
        Case(
            testDescription: "an introductory price", offer: PurchaseOffer(type: 1, discountType: "PAY_AS_YOU_GO"),
            reported: ["phase": "introductory", "offer": "1"]),
        Case(
            testDescription: "a promotional offer", offer: PurchaseOffer(type: 2, id: "spring"),
            reported: ["phase": "offer", "offer": "2 spring"]),
        Case(
            testDescription: "a receipt says trial", isTrialPeriod: true, isIntroductoryPeriod: false, isSigned: false,
            reported: ["phase": "trial"]),
        Case(
            testDescription: "a receipt says neither", isTrialPeriod: false, isIntroductoryPeriod: false,
            isSigned: false, reported: ["phase": "standard"]),
        Case(testDescription: "a receipt says nothing", isSigned: false, reported: [:]),
        Case(
            testDescription: "cancelled", renewal: renewal(willRenew: false),
            reported: ["phase": "standard", "willRenew": "false"]),
        Case(
            testDescription: "a downgrade ahead, with its price",
            renewal: renewal(to: "club.small") {
                $0.price = 990; $0.currency = "EUR"
            },
            reported: [
                "phase": "standard", "willRenew": "true", "renewsTo": "club.small", "renewsAt": "30",
                "renewalPrice": "990 EUR",
            ]),
        Case(
            testDescription: "grace", renewal: renewal(on: 30, retry: true, grace: 46), asked: 31,
            reported: renews.merging(["phase": "standard", "billingIssue": "grace", "gracePeriodUntil": "46"]) { $1 }),
        Case(
            testDescription: "after grace", renewal: renewal(on: 30, retry: true, grace: 46), asked: 47,
            reported: renews.merging(["phase": "standard", "billingIssue": "retry"]) { $1 }),
        Case(
            testDescription: "in retry without grace", renewal: renewal(on: 30, retry: true), asked: 31,
            reported: renews.merging(["phase": "standard", "billingIssue": "retry"]) { $1 }),
        Case(
            testDescription: "no trouble before the end", renewal: renewal(on: 29, retry: true, grace: 46), asked: 29,
            reported: renews.merging(["phase": "standard"]) { $1 }),
        Case(
            testDescription: "declined a price increase", renewal: renewal(on: 30, willRenew: false, reason: 3),
            asked: 31, reported: ["phase": "standard", "willRenew": "false", "expirationReason": "priceIncrease"]),
        Case(
            testDescription: "a reason that Apple adds later", renewal: renewal(on: 30, willRenew: false, reason: 9),
            asked: 31, reported: ["phase": "standard", "willRenew": "false", "expirationReason": "other"]),
        Case(
            testDescription: "asked for consent",
            renewal: renewal {
                $0.priceIncreaseStatus = 0; $0.price = 5_990; $0.currency = "EUR"
            },
            reported: renews.merging([
                "phase": "standard", "priceIncrease": "pending 5990", "renewalPrice": "5990 EUR",
            ]) { $1 }),
        Case(
            testDescription: "consented", renewal: renewal { $0.priceIncreaseStatus = 1 },
            reported: renews.merging(["phase": "standard", "priceIncrease": "agreed"]) { $1 }),
        Case(
            testDescription: "may come back",
            renewal: renewal(on: 30, willRenew: false, reason: 1) {
                $0.winBackOfferIDs = ["back", "again"]
            }, asked: 60,
            reported: [
                "phase": "standard", "willRenew": "false", "expirationReason": "cancelled",
                "winBackOffers": "back again",
            ]),
        Case(
            testDescription: "fewer seats renew",
            renewal: renewal {
                $0.quantity = 4
                $0.price = 800; $0.currency = "EUR"
                $0.priceTiers = [.init(price: 900, quantity: 2), .init(price: 700, quantity: 2)]
            },
            reported: renews.merging([
                "phase": "standard", "renewalPrice": "800 EUR", "renewalSeats": "4 2×900 2×700",
            ]) { $1 }),
        Case(
            testDescription: "a month of a commitment that is not renewed", billingPlan: "MONTHLY",
            commitment: CommitmentDetails(period: 3, periods: 12, price: 95_880, end: LedgerTests.day(300)),
            renewal: renewal {
                $0.billingPlan = "MONTHLY"
                $0.commitment = RenewalDetails.Commitment()
                $0.commitment?.willAutoRenew = false
            },
            reported: renews.merging([
                "phase": "standard", "billingPlan": "MONTHLY", "commitment": "3 of 12 95880 300",
                "renewalBillingPlan": "MONTHLY", "renewalCommitment": "false",
            ]) { $1 }),
        Case(
            testDescription: "what was said before this period", renewal: renewal(on: -1, willRenew: false, reason: 1),
            reported: ["phase": "standard"]),
    ]

    @Test(arguments: cases) func `A subscription has the status that follows from its facts`(_ example: Case) {
        var details = PurchaseDetails()
        details.offer = example.offer
        details.isTrialPeriod = example.isTrialPeriod
        details.isIntroductoryPeriod = example.isIntroductoryPeriod
        details.billingPlan = example.billingPlan
        details.commitment = example.commitment
        let period = Transaction(
            id: "1", originalID: "1", app: "hangman", environment: .production, productID: "club",
            productType: .autoRenewable, purchaseDate: day(0), expirationDate: day(30), details: details.nonEmpty,
            signedDate: day(0), isSigned: example.isSigned)
        let status = SubscriptionStatus(
            period: period, renewal: example.renewal, isIntroductoryOfferUsed: nil, at: day(example.asked))
        #expect(status.reported == example.reported)
    }

    /// Whether the introductory offer of a group is used up, for each of the group's periods.
    @Test func `An introductory offer is used once in a group`() throws {
        func record(_ id: TransactionID, _ group: String?, isSigned: Bool = true, trial: Bool? = nil)
            -> RecordedTransaction
        {
            var details = PurchaseDetails()
            details.isTrialPeriod = trial
            let transaction = Transaction(
                id: id, originalID: id, app: "hangman", environment: .production, productID: "club",
                purchaseDate: day(0), expirationDate: day(30), subscriptionGroupID: group,
                details: details.nonEmpty, signedDate: day(0), isSigned: isSigned)
            return RecordedTransaction(
                transaction: transaction, purchase: transaction.id, terms: nil, owner: account(1),
                creditedTo: account(1))
        }
        let (none, trial) = (record("1", "a"), record("2", "b", trial: true))
        let (later, untold, reported) = (record("3", "b"), record("4", "c", isSigned: false), record("5", "c"))
        let all = [none, trial, later, untold, reported]
        for records in [all, all.reversed()] {
            let summary = CondensedHistory(summaryOf: records, for: account(1))
            let offers = IntroductoryOffers([HistoryID(of: none): summary])
            #expect(offers.isUsed(inGroupOf: none.transaction) == false)
            #expect(offers.isUsed(inGroupOf: later.transaction) == true)
            #expect(offers.isUsed(inGroupOf: reported.transaction) == nil)
        }
    }
}

extension SubscriptionStatus {
    fileprivate var reported: [String: String] {
        let number = { (date: Date) in String((date.milliseconds - day(0).milliseconds) / 86_400_000) }
        let parts: [String: [String?]] = [
            "phase": [phase?.rawValue], "offer": [offer?.type.map(String.init), offer?.id],
            "willRenew": [willRenew.map(String.init)], "renewsTo": [renewsTo?.text],
            "renewsAt": [renewsAt.map(number)], "renewalPrice": [renewalPrice.map(String.init), currency],
            "billingIssue": [billingIssue?.rawValue], "gracePeriodUntil": [gracePeriodUntil.map(number)],
            "expirationReason": [expirationReason?.rawValue],
            "priceIncrease": [priceIncrease?.state.rawValue, priceIncrease?.newPrice.map(String.init)],
            "winBackOffers": winBackOffers ?? [], "billingPlan": [billingPlan],
            "renewalSeats": [renewalQuantity.map(String.init)]
                + (renewalPriceTiers ?? []).map { "\($0.quantity)×\($0.price)" },
            "commitment": [commitment.map { "\($0.period ?? 0) of \($0.periods ?? 0)" }]
                + [commitment?.price.map(String.init), commitment?.end.map(number)],
            "renewalBillingPlan": [renewalBillingPlan],
            "renewalCommitment": [renewalCommitment?.willAutoRenew.map(String.init)],
        ]
        return parts.mapValues { $0.compactMap(\.self).joined(separator: " ") }.filter { !$0.value.isEmpty }
    }
}
