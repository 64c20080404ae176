import AutoRenewableSubscription
import Foundation
import InAppPurchase
import TestSupport
import Testing

/// How long access goes on after the end of a period while the news of its renewal is on its way.
@Suite struct RenewalLeewayTests {
    private typealias Group = AutoRenewableSubscriptionTests

    struct Leeway: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: RenewalFacts?
        var minutes: Int?
        var isRevoked = false
        /// How many minutes after the end access ends.
        var goesOn: Int
    }

    static let on = RenewalFacts(willAutoRenew: true, signedDate: Group.march)
    static let leeways: [Leeway] = [
        Leeway(testDescription: "no facts", facts: nil, goesOn: 0),
        Leeway(testDescription: "will renew", facts: on, goesOn: 5),
        Leeway(testDescription: "as the product says", facts: on, minutes: 60, goesOn: 60),
        Leeway(testDescription: "none, as the product says", facts: on, minutes: 0, goesOn: 0),
        Leeway(
            testDescription: "cancelled", facts: RenewalFacts(willAutoRenew: false, signedDate: Group.march), goesOn: 0),
        Leeway(testDescription: "not said", facts: RenewalFacts(signedDate: Group.march), goesOn: 0),
        Leeway(
            testDescription: "billing failed",
            facts: RenewalFacts(willAutoRenew: true, isInBillingRetry: true, signedDate: Group.march), goesOn: 0),
        Leeway(
            testDescription: "billing failed before this purchase",
            facts: RenewalFacts(willAutoRenew: true, isInBillingRetry: true, signedDate: Group.january), goesOn: 5),
        Leeway(
            testDescription: "the price increase was refused",
            facts: RenewalFacts(willAutoRenew: true, expirationReason: 3, signedDate: Group.march), goesOn: 0),
        Leeway(testDescription: "refunded", facts: on, isRevoked: true, goesOn: 0),
        Leeway(
            testDescription: "grace is longer",
            facts: RenewalFacts(
                willAutoRenew: true, isInBillingRetry: true, gracePeriodExpirationDate: Group.today + 7_200,
                signedDate: Group.march), goesOn: 120),
    ]

    @Test(arguments: leeways)
    func `Access goes on after the end of a period for the leeway of its terms`(example: Leeway) {
        let period = Group.gold("1", on: Group.february, until: Group.today, revoked: example.isRevoked)
        let terms = AutoRenewableSubscription(renewalLeewayMinutes: example.minutes)
        for minute in [0, 1, 4, 5, 59, 60, 119, 120] {
            let access = AutoRenewableSubscription.entitlement(
                to: "gold", by: [period], terms: terms, renewals: example.facts.map { ["1": $0] } ?? [:],
                at: Group.today + Double(minute) * 60
            ).access
            let end = Group.today + Double(example.goesOn) * 60
            #expect(access.isGranted == (minute < example.goesOn))
            #expect(!access.isGranted || access == .granted(until: end))
        }
    }
}
