import Foundation
import InAppPurchase
import Ledger

/// A subscription's state in the format of the HTTP API. Members that no copy of the facts states are omitted.
struct SubscriptionBody: Encodable {
    /// The App Store's page on which customers manage their subscriptions (Apple, "Handling subscriptions billing").
    private static let managementPage = "https://apps.apple.com/account/subscriptions"

    struct Offer: Encodable {
        var type: Int?
        var id: String?
    }

    struct PriceIncrease: Encodable {
        var state: SubscriptionStatus.PriceIncrease.State
        /// In thousandths of the currency.
        var newPrice: Int?
    }

    var willRenew: Bool?
    var renewsTo: ProductID?
    var renewsAt: Date?
    /// In thousandths of the currency.
    var renewalPrice: Int?
    var currency: String?
    var phase: SubscriptionStatus.Phase?
    var offer: Offer?
    var billingIssue: SubscriptionStatus.BillingIssue?
    var gracePeriodUntil: Date?
    var expirationReason: SubscriptionStatus.ExpirationReason?
    var priceIncrease: PriceIncrease?
    var winBackOffers: [String]?
    var introductoryOfferUsed: Bool?
    var manage = Self.managementPage

    init(_ status: SubscriptionStatus) {
        willRenew = status.willRenew
        renewsTo = status.renewsTo
        renewsAt = status.renewsAt
        renewalPrice = status.renewalPrice
        currency = status.currency
        phase = status.phase
        offer = status.offer.map { Offer(type: $0.type, id: $0.id) }
        billingIssue = status.billingIssue
        gracePeriodUntil = status.gracePeriodUntil
        expirationReason = status.expirationReason
        priceIncrease = status.priceIncrease.map { PriceIncrease(state: $0.state, newPrice: $0.newPrice) }
        winBackOffers = status.winBackOffers
        introductoryOfferUsed = status.isIntroductoryOfferUsed
    }
}
