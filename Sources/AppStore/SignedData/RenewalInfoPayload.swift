import Foundation
import InAppPurchase

/// The members of JWSRenewalInfoDecodedPayload that are used, under Apple's names; all others are ignored.
struct RenewalInfoPayload: Decodable {
    var originalTransactionId: AppStoreID
    var autoRenewProductId: ProductID?
    var autoRenewStatus: Int
    var isInBillingRetryPeriod: Bool?
    var gracePeriodExpiresDate: AppStoreDate?
    var expirationIntent: Int?
    var signedDate: AppStoreDate
    var environment: String?
    // Numbers of Apple's type, as in its libraries; those that are out of range are ignored.
    var renewalDate: Lenient<Double>?
    var renewalPrice: Lenient<Double>?
    var currency: Lenient<String>?
    var priceIncreaseStatus: Lenient<Double>?
    var offerType: Lenient<Double>?
    var offerIdentifier: Lenient<String>?
    var offerDiscountType: Lenient<String>?
    var offerPeriod: Lenient<String>?
    var eligibleWinBackOfferIds: Lenient<[String]>?
    var recentSubscriptionStartDate: Lenient<Double>?
    var renewalQuantity: Lenient<Int>?
    var multiSeatInfo: Lenient<MultiSeatInfo>?
    var renewalBillingPlanType: Lenient<String>?
    var commitmentInfo: Lenient<CommitmentInfo>?

    /// Apple's RenewalMultiSeatInfo.
    struct MultiSeatInfo: Decodable {
        var renewalPriceTiers: Lenient<[RenewalDetails.PriceTier]>?
    }

    /// Apple's RenewalCommitmentInfo.
    struct CommitmentInfo: Decodable {
        var commitmentAutoRenewProductId: Lenient<ProductID>?
        var commitmentAutoRenewStatus: Lenient<Int>?
        var commitmentRenewalBillingPlanType: Lenient<String>?
        var commitmentRenewalDate: Lenient<Double>?
        var commitmentRenewalPrice: Lenient<Double>?
    }

    var facts: RenewalFacts {
        RenewalFacts(
            willAutoRenew: autoRenewStatus == 1, autoRenewProductID: autoRenewProductId,
            isInBillingRetry: isInBillingRetryPeriod ?? false, gracePeriodExpirationDate: gracePeriodExpiresDate?.date,
            expirationReason: expirationIntent, details: details, signedDate: signedDate.date)
    }

    private var details: RenewalDetails {
        var details = RenewalDetails(signedDate: signedDate.date)
        details.renewalDate = Self.date(renewalDate?.value)
        details.price = (renewalPrice?.value).flatMap(Int.init(exactly:))
        details.currency = currency?.value
        details.priceIncreaseStatus = (priceIncreaseStatus?.value).flatMap(Int.init(exactly:))
        details.offer = PurchaseOffer(
            type: offerType?.value, id: offerIdentifier, discountType: offerDiscountType, period: offerPeriod)
        details.winBackOfferIDs = eligibleWinBackOfferIds?.value
        details.recentStartDate = Self.date(recentSubscriptionStartDate?.value)
        details.quantity = renewalQuantity?.value.flatMap { AppStoreBounds.quantity.contains($0) ? $0 : nil }
        details.priceTiers = multiSeatInfo?.value?.renewalPriceTiers?.value
        details.billingPlan = renewalBillingPlanType?.value
        details.commitment = commitmentInfo?.value.flatMap(Self.commitment)
        return details
    }

    /// `nil` if the App Store states nothing of it.
    private static func commitment(_ info: CommitmentInfo) -> RenewalDetails.Commitment? {
        var commitment = RenewalDetails.Commitment()
        commitment.willAutoRenew = info.commitmentAutoRenewStatus?.value.map { $0 == 1 }
        commitment.productID = info.commitmentAutoRenewProductId?.value
        commitment.billingPlan = info.commitmentRenewalBillingPlanType?.value
        commitment.renewalDate = date(info.commitmentRenewalDate?.value)
        commitment.price = (info.commitmentRenewalPrice?.value).flatMap(Int.init(exactly:))
        return commitment == RenewalDetails.Commitment() ? nil : commitment
    }

    private static func date(_ milliseconds: Double?) -> Date? {
        guard let milliseconds = milliseconds.flatMap({ Int(exactly: $0.rounded()) }),
            AppStoreBounds.milliseconds.contains(milliseconds)
        else { return nil }
        return Date(milliseconds: milliseconds)
    }
}
