import Foundation
import QuartermasterClient
import Testing

@testable import HangmanAppModel

/// A screen that sells subscriptions shows what App Review asks for (3.1.2).
@Suite struct ClubOfferTests {
    private static func offer(
        _ mode: SourceProduct.Offer.PaymentMode, _ period: SourceProduct.Period, _ count: Int = 1
    ) throws -> ClubOffer {
        var state = ShopState.firstLaunch
        state.products[3].store?.subscription?.introductoryOffer = SourceProduct.Offer(
            paymentMode: mode, period: period, periodCount: count, displayPrice: "$0.49")
        return try #require(state.clubOffers.first)
    }

    @Test func `A subscription shows name, length, price and, if eligible, the trial`() throws {
        let offer = try #require(ShopState.firstLaunch.clubOffers.first)
        #expect(offer.name == "Club")
        #expect(offer.price == "$4.99 each month")
        #expect(offer.introduction == "1 week free, then $4.99 each month")
        #expect(offer.button == "Subscribe")
        #expect(offer.isEnabled)
        #expect(ShopState.firstLaunch.clubLinks.map(\.title) == ["Terms of use", "Privacy policy"])
        #expect(ShopState.firstLaunch.clubGroupID == "21000001")
    }

    @Test func `A customer who had the trial is not promised another`() {
        var state = ShopState.firstLaunch
        state.products[3].store?.subscription?.isEligibleForIntroductoryOffer = false
        #expect(state.clubOffers.map(\.introduction) == [nil])
    }

    @Test func `Each way to pay an introductory offer has its words`() throws {
        #expect(
            try Self.offer(.payAsYouGo, .init(1, .month), 3).introduction
                == "$0.49 each month for 3 months, then $4.99 each month")
        #expect(
            try Self.offer(.payUpFront, .init(6, .month)).introduction == "$0.49 for 6 months, then $4.99 each month")
        #expect(try Self.offer(.init(rawValue: "LATER"), .init(1, .week)).introduction == nil)
    }

    @Test func `A longer period is counted`() {
        var state = ShopState.firstLaunch
        state.products[3].store?.subscription?.period = .init(3, .month)
        #expect(state.clubOffers.map(\.price) == ["$4.99 every 3 months"])
    }

    @Test func `Nothing is sold without both links`() {
        var state = ShopState.firstLaunch
        state.legal?.terms = nil
        #expect(state.clubOffers.map(\.isEnabled) == [false])
        state.legal = nil
        #expect(state.clubOffers.map(\.isEnabled) == [false])
        #expect(state.clubLinks.isEmpty)
    }

    @Test func `A product whose terms are not known is not shown`() {
        #expect(ShopState.offline.clubOffers.isEmpty)
        #expect(ShopState.offline.clubGroupID == nil)
    }

    @Test func `The better rank comes first`() {
        var state = ShopState.firstLaunch
        state.products[3].level = 2
        var gold = state.products[3]
        (gold.id, gold.level) = ("gold", 1)
        state.products.append(gold)
        #expect(state.clubOffers.map(\.id) == ["gold", "com.example.hangman.club.monthly"])
    }

    @Test func `A member sees when it renews, ends, or was not paid`() {
        var state = ShopState.member
        #expect(state.isClubMember)
        #expect(state.clubOffers.map(\.button) == ["Your subscription"])
        #expect(state.clubStatus(ShopRowTests.dates) == "Renews on Dec 31, 2025.")
        state.entitlements[0].subscription?.willRenew = false
        #expect(state.clubStatus(ShopRowTests.dates) == "Ends on Dec 31, 2025.")
        state.entitlements[0].subscription?.billingIssue = "grace"
        #expect(state.clubStatus(ShopRowTests.dates) == "A payment failed. Access ends on Dec 31, 2025.")
        state.entitlements[0].subscription?.billingIssue = "retry"
        state.entitlements[0].access = .denied
        #expect(!state.isClubMember)
        #expect(state.clubStatus() == "A payment failed. See the payment settings of your Apple Account.")
        state.entitlements[0].subscription?.billingIssue = nil
        #expect(state.clubStatus() == nil)
        #expect(ShopState.firstLaunch.clubStatus() == nil)
    }
}
