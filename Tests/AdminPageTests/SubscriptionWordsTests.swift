import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AdminPages
@testable import Ledger
@testable import ServerCore

/// A subscription in words, in each state that it can have.
@Suite struct SubscriptionWordsTests {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)

    private static func day(_ days: Double) -> Date { now + days * 86_400 }

    /// A time as the page shows it.
    private static func at(_ days: Double) -> String { PageTime(day(days), now: now).text }

    /// A month's period, paid three weeks ago.
    private static func period(until days: Double = 9, _ change: (inout Transaction) -> Void = { _ in }) -> Transaction
    {
        var period = Transaction(
            id: "2", originalID: "1", app: "com.example.hangman", environment: .production, productID: "club.monthly",
            productType: .autoRenewable, purchaseDate: day(-21), expirationDate: day(days), signedDate: day(-21),
            isSigned: true)
        change(&period)
        return period
    }

    private static func offered(_ type: Int, _ discount: String, id: String? = nil) -> (inout Transaction) -> Void {
        { period in
            var details = PurchaseDetails()
            details.offer = PurchaseOffer(type: type, id: id, discountType: discount)
            details.price = discount == "FREE_TRIAL" ? 0 : 990
            period.details = details
        }
    }

    /// The App Store's last statement: it renews for 5.99 USD.
    private static func renewal(
        _ willRenew: Bool? = true, reason: Int? = nil, _ change: (inout RenewalFacts) -> Void = { _ in }
    ) -> RenewalFacts {
        var details = RenewalDetails(signedDate: day(-1))
        if willRenew == true { (details.price, details.currency) = (5_990, "USD") }
        var facts = RenewalFacts(
            willAutoRenew: willRenew, autoRenewProductID: "club.monthly", expirationReason: reason, details: details,
            signedDate: day(-1))
        change(&facts)
        return facts
    }

    /// - Parameter off: the day on which renewal was turned off.
    private static func words(
        _ renewal: RenewalFacts?, of period: Transaction? = nil, access: Access? = .granted(until: nil),
        off: Double? = nil
    ) -> SubscriptionWords {
        let period = period ?? Self.period()
        return SubscriptionWords(
            status: SubscriptionStatus(period: period, renewal: renewal, isIntroductoryOfferUsed: nil, at: now),
            period: period, end: period.expirationDate, access: access, turnedOff: off.map { day($0) }, now: now,
            name: { $0 == "club.yearly" ? "Club for a year" : $0.text })
    }

    private typealias Case = (SubscriptionWords, badge: String, tone: Tone, text: String)

    private static var running: [Case] {
        let asked = renewal { $0.details?.priceIncreaseStatus = 0 }
        let seats = renewal { facts in
            facts.details?.quantity = 3
            facts.details?.priceTiers = [.init(price: 5_000, quantity: 2), .init(price: 7_970, quantity: 1)]
        }
        let other = renewal { facts in
            facts.autoRenewProductID = "club.yearly"
            facts.details?.price = 49_990
        }
        let end = at(9)
        return [
            (words(renewal()), "Renews", .good, "Renews on \(end) for 5.99 USD."),
            (words(seats), "Renews", .good, "Renews on \(end) for 5.99 USD on average for each of 3 seats."),
            (words(other), "Renews", .good, "Renews on \(end) as Club for a year for 49.99 USD."),
            (words(asked), "Price rise", .waiting, "Renews on \(end) for 5.99 USD."),
            (
                words(renewal(), of: period(offered(1, "FREE_TRIAL"))), "Free trial", .good,
                "Free trial until \(end), then renews for 5.99 USD."
            ),
            (
                words(renewal(), of: period(offered(1, "PAY_AS_YOU_GO"))), "Renews", .good,
                "Introductory price until \(end), then renews for 5.99 USD."
            ),
            (
                words(renewal(), of: period(offered(2, "PAY_UP_FRONT"))), "Renews", .good,
                "Offer until \(end), then renews for 5.99 USD."
            ),
            (
                words(renewal(false), off: -2), "Turned off", .waiting,
                "The customer turned renewal off on \(at(-2)). Access until \(end)."
            ),
            (words(renewal(false)), "Turned off", .waiting, "Renewal is turned off. Access until \(end)."),
            (
                words(renewal(false), of: period(offered(1, "FREE_TRIAL"))), "Turned off", .waiting,
                "Renewal is turned off. The free trial lasts until \(end)."
            ),
            (words(nil), "Paid", .good, "Access until \(end). The App Store has not said whether it renews."),
        ]
    }

    private static var ended: [Case] {
        let (over, end) = (period(until: -3), at(-3))
        let grace = renewal { facts in
            (facts.isInBillingRetry, facts.gracePeriodExpirationDate) = (true, day(13))
        }
        let retry = renewal(reason: 2) { $0.isInBillingRetry = true }
        func ended(_ reason: Int?, off: Double? = nil) -> SubscriptionWords {
            words(renewal(false, reason: reason), of: over, access: .denied(.expired), off: off)
        }
        let text = "Ended on \(end): "
        return [
            (
                words(grace, of: over), "Not paid", .waiting,
                "The App Store cannot charge the card. Access until \(at(13)), the end of the grace period."
            ),
            (
                words(retry, of: over, access: .denied(.billingRetry)), "Not paid", .bad,
                "The App Store cannot charge the card, and keeps trying. No access since \(end)."
            ),
            (
                words(renewal(), of: over), "Renewal due", .waiting,
                "Paid until \(end). The App Store has not said yet whether it renewed."
            ),
            (ended(1, off: -9), "Ended", .plain, text + "the customer turned renewal off on \(at(-9))."),
            (ended(1), "Ended", .plain, text + "the customer turned renewal off."),
            (ended(2), "Ended", .plain, text + "the App Store could not charge the card."),
            (ended(3), "Ended", .plain, text + "the customer did not agree to the price rise."),
            (ended(4), "Ended", .plain, text + "the product was no longer for sale."),
            (ended(5), "Ended", .plain, text + "the App Store gives no reason."),
            (ended(nil), "Ended", .plain, text + "renewal was turned off."),
            (
                words(nil, of: over, access: .denied(.expired)), "Ended", .plain,
                text + "the App Store has not said why."
            ),
        ]
    }

    private static var taken: [Case] {
        func revoked(_ change: @escaping (inout Transaction) -> Void = { _ in }) -> SubscriptionWords {
            let period = period { period in
                period.revocation = Transaction.Revocation(date: day(-2))
                change(&period)
            }
            return words(renewal(false), of: period, access: .denied(.revoked))
        }
        return [
            (revoked(), "Refunded", .bad, "Refunded by the App Store on \(at(-2))."),
            (
                revoked { $0.ownershipType = .familyShared }, "Ended", .plain,
                "Family Sharing ended on \(at(-2))."
            ),
            (
                revoked { $0.ownershipType = .assigned }, "Ended", .plain,
                "The App Store took it back on \(at(-2))."
            ),
            (words(renewal(), access: .denied(.revoked)), "Ended", .plain, "The App Store took it back."),
            (
                words(renewal(), of: period { $0.isUpgraded = true }), "Replaced", .plain,
                "The customer changed to another product of the group."
            ),
        ]
    }

    @Test func `Every state of a subscription is a sentence`() {
        for (words, badge, tone, text) in Self.running + Self.ended + Self.taken {
            let state = words.state
            #expect(state.text == text && state.badge.text == badge && state.badge.tone == tone, "\(state)")
        }
    }

    /// A part of the price that was paid back ends nothing as long as the product's terms say so.
    @Test func `A partial refund does not end a subscription that still gives access`() {
        let period = Self.period { $0.revocation = Transaction.Revocation(date: Self.day(-2), percentage: 50_000) }
        #expect(Self.words(Self.renewal(), of: period).state.badge.text == "Renews")
        #expect(Self.words(Self.renewal(), of: period, access: .denied(.revoked)).state.badge.text == "Refunded")
    }

    @Test func `What else there is to know stands below it`() {
        let (asked, agreed) = (
            Self.renewal { $0.details?.priceIncreaseStatus = 0 }, Self.renewal { $0.details?.priceIncreaseStatus = 1 }
        )
        let committed = Self.period { period in
            var details = PurchaseDetails()
            details.commitment = CommitmentDetails(period: 3, periods: 12, end: Self.day(283))
            period.details = details
        }
        func after(_ willRenew: Bool?) -> RenewalFacts {
            Self.renewal { facts in
                var next = RenewalDetails.Commitment()
                next.willAutoRenew = willRenew
                facts.details?.commitment = next
            }
        }
        let seats = Self.period { period in
            var details = PurchaseDetails()
            details.seats = SeatDetails(revoked: 1)
            (period.quantity, period.details) = (3, details)
        }
        let year = "A year that is paid by the month: payment 3 of 12, until \(Self.at(283))"
        let cases: [(SubscriptionWords, [String])] = [
            (Self.words(Self.renewal()), []),
            (
                Self.words(asked),
                ["The price rise to 5.99 USD waits for the customer's consent. Without it the subscription ends."]
            ),
            (
                Self.words(agreed),
                ["The price rises to 5.99 USD: the customer agreed, or was told where no consent is needed."]
            ),
            (Self.words(after(true), of: committed), [year + "; then another year."]),
            (Self.words(after(false), of: committed), [year + "; then it ends."]),
            (Self.words(nil, of: committed), [year + "."]),
            (Self.words(Self.renewal(), of: seats), ["3 seats, 1 of them refunded."]),
            (
                Self.words(Self.renewal(), of: Self.period(Self.offered(3, "ONE_TIME", id: "summer"))),
                ["Bought with an offer code, summer."]
            ),
            (
                Self.words(Self.renewal(), of: Self.period { $0.ownershipType = .familyShared }),
                ["Shared by the family: another member pays."]
            ),
            (
                Self.words(Self.renewal(), access: .denied(.sandbox)),
                ["It gives no access: \(DenialReason.sandbox.words)."]
            ),
            (Self.words(Self.renewal(), of: Self.period(until: -3), access: .denied(.expired)), []),
        ]
        for (words, notes) in cases { #expect(words.notes == notes) }
    }

    /// The App Store extends what somebody pays for, and moving what is over gives nobody anything.
    @Test func `Acts are offered where they can work`() {
        let retry = Self.renewal(reason: 2) { $0.isInBillingRetry = true }
        let refunded = Self.period { $0.revocation = Transaction.Revocation(date: Self.day(-2)) }
        let cases: [(SubscriptionWords, isLive: Bool, canBeExtended: Bool)] = [
            (Self.words(Self.renewal()), true, true), (Self.words(Self.renewal(false)), true, true),
            (Self.words(Self.renewal(), of: Self.period(Self.offered(1, "FREE_TRIAL"))), true, false),
            (Self.words(Self.renewal(), of: Self.period { $0.ownershipType = .familyShared }), true, false),
            (Self.words(retry, of: Self.period(until: -3)), true, false),
            (Self.words(Self.renewal(false, reason: 1), of: Self.period(until: -3)), false, false),
            (Self.words(Self.renewal(false), of: refunded), false, false),
        ]
        for (words, isLive, canBeExtended) in cases {
            #expect(words.isLive == isLive && words.canBeExtended == canBeExtended, "\(words.state)")
        }
    }
}
