import Foundation
import InAppPurchase
import Ledger

/// A subscription's state in the format of the HTTP API. Members that no copy of the facts states are omitted.
struct SubscriptionBody: Codable {
    /// The App Store's page on which customers manage their subscriptions (Apple, "Handling subscriptions billing").
    private static let managementPage = "https://apps.apple.com/account/subscriptions"

    struct Offer: Codable {
        var type: Int?
        var id: String?
    }

    struct PriceTier: Codable {
        /// Of one seat, in thousandths of the currency.
        var price: Int
        var quantity: Int

        init(_ tier: RenewalDetails.PriceTier) {
            price = tier.price
            quantity = tier.quantity
        }
    }

    /// A year that is paid month by month, under Apple's names.
    struct Commitment: Codable {
        var billingPeriodNumber: Int?
        var totalBillingPeriods: Int?
        /// In thousandths of the currency.
        var commitmentPrice: Int?
        var commitmentExpiresDate: Date?
    }

    /// The renewal after the commitment, under Apple's names.
    struct RenewalCommitment: Codable {
        var commitmentAutoRenewStatus: Bool?
        var commitmentAutoRenewProductId: ProductID?
        var commitmentRenewalBillingPlanType: String?
        var commitmentRenewalDate: Date?
        /// In thousandths of the currency.
        var commitmentRenewalPrice: Int?
    }

    struct PriceIncrease: Codable {
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
    var renewalQuantity: Int?
    var renewalPriceTiers: [PriceTier]?
    var billingPlanType: String?
    var commitmentInfo: Commitment?
    var renewalBillingPlanType: String?
    var renewalCommitmentInfo: RenewalCommitment?
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
        renewalQuantity = status.renewalQuantity
        renewalPriceTiers = status.renewalPriceTiers?.map { PriceTier($0) }
        billingPlanType = status.billingPlan
        commitmentInfo = status.commitment.map { Commitment($0) }
        renewalBillingPlanType = status.renewalBillingPlan
        renewalCommitmentInfo = status.renewalCommitment.map { RenewalCommitment($0) }
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

extension SubscriptionBody.Commitment {
    init(_ details: CommitmentDetails) {
        billingPeriodNumber = details.period
        totalBillingPeriods = details.periods
        commitmentPrice = details.price
        commitmentExpiresDate = details.end
    }
}

extension SubscriptionBody.RenewalCommitment {
    init(_ commitment: RenewalDetails.Commitment) {
        commitmentAutoRenewStatus = commitment.willAutoRenew
        commitmentAutoRenewProductId = commitment.productID
        commitmentRenewalBillingPlanType = commitment.billingPlan
        commitmentRenewalDate = commitment.renewalDate
        commitmentRenewalPrice = commitment.price
    }
}
