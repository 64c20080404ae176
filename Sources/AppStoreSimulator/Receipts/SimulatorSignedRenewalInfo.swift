import Foundation
import InAppPurchase

/// The payload of signed renewal info (Apple, JWSRenewalInfoDecodedPayload). Dates are milliseconds since 1970.
struct SimulatorSignedRenewalInfo: Encodable {
    /// Apple, RenewalMultiSeatInfo.
    struct MultiSeatInfo: Encodable {
        var renewalPriceTiers: [SeatPriceTier]
    }

    /// Apple, RenewalCommitmentInfo.
    struct CommitmentInfo: Encodable {
        var commitmentAutoRenewProductId: String
        var commitmentAutoRenewStatus: Int
        var commitmentRenewalBillingPlanType: String?
        var commitmentRenewalDate: Int?
        var commitmentRenewalPrice: Int?
    }

    var originalTransactionId: String
    var productId: String
    var autoRenewProductId: String
    var autoRenewStatus: Int
    var renewalDate: Int?
    /// The price of the next renewal, of one seat, in milliunits of the currency; absent if there is no renewal.
    var renewalPrice: Int?
    var renewalQuantity: Int?
    var multiSeatInfo: MultiSeatInfo?
    var renewalBillingPlanType: String?
    var commitmentInfo: CommitmentInfo?
    var currency: String?
    var isInBillingRetryPeriod: Bool
    var gracePeriodExpiresDate: Int?
    var expirationIntent: Int?
    var priceIncreaseStatus: Int?
    var offerType: Int?
    var offerIdentifier: String?
    var offerDiscountType: String?
    var offerPeriod: CalendarDuration?
    /// The win-back offers, best first; only of a subscription that has ended, and not in billing retry.
    var eligibleWinBackOfferIds: [String]?
    var recentSubscriptionStartDate: Int
    var signedDate: Int
    var environment: String
    var appAccountToken: String?
    var appTransactionId: String

    /// The renewal info of a purchase, the newest of its original transaction; `nil` if it is not a subscription.
    init?(_ purchase: StoredPurchase, signedDate: Date) {
        guard let subscription = purchase.subscription else { return nil }
        let (transaction, renewal) = (purchase.transaction, subscription.renewal)
        originalTransactionId = transaction.originalID.text
        productId = transaction.productID.text
        // Another product follows when the commitment ends.
        let next = purchase.isWithinCommitment ? nil : renewal.autoRenewProductID
        autoRenewProductId = (next ?? transaction.productID).text
        autoRenewStatus = purchase.willRenew ? 1 : 0
        renewalDate = transaction.expirationDate?.milliseconds
        renewalPrice = purchase.willRenew ? purchase.renewalPrice : nil
        currency = renewalPrice == nil ? nil : purchase.currency
        if renewal.expirationReason != nil, !renewal.isInBillingRetry {
            eligibleWinBackOfferIds = subscription.winBackOffers
        }
        isInBillingRetryPeriod = renewal.isInBillingRetry
        gracePeriodExpiresDate = renewal.gracePeriodExpirationDate?.milliseconds
        expirationIntent = renewal.expirationReason
        priceIncreaseStatus = subscription.priceIncreaseStatus
        offerType = subscription.nextOffer?.type
        offerIdentifier = subscription.nextOffer?.identifier
        offerDiscountType = subscription.nextOffer?.discountType
        offerPeriod = subscription.nextOffer?.period
        recentSubscriptionStartDate = subscription.recentStartDate.milliseconds
        self.signedDate = signedDate.milliseconds
        environment = transaction.environment.rawValue
        appAccountToken = transaction.appAccountToken?.text
        appTransactionId = purchase.customer.appTransactionID
        setSeats(purchase.seats)
        setPlan(of: subscription, purchase)
    }

    private mutating func setSeats(_ seats: Seats?) {
        guard let seats, autoRenewStatus == 1 else { return }
        renewalQuantity = seats.renewing
        let tiers = renewalPrice.map { [SeatPriceTier(price: $0, quantity: seats.renewing)] }
        multiSeatInfo = MultiSeatInfo(renewalPriceTiers: tiers ?? [])
    }

    private mutating func setPlan(of subscription: StoredPurchase.Subscription, _ purchase: StoredPurchase) {
        let (renewal, product) = (subscription.renewal, purchase.transaction.productID)
        // Another product is billed in its own way.
        let isSame = (renewal.autoRenewProductID ?? product) == product
        let plan = isSame ? subscription.billingPlan?.rawValue : nil
        renewalBillingPlanType = purchase.isWithinCommitment ? BillingPlan.monthly.rawValue : plan
        guard subscription.billingPeriodNumber != nil else { return }
        let willAutoRenew = renewal.willAutoRenew == true
        let price = (subscription.nextPrice ?? subscription.standardPrice)?
            .saturatingMultiplied(by: isSame ? BillingPlan.periods : 1)
        commitmentInfo = CommitmentInfo(
            commitmentAutoRenewProductId: (renewal.autoRenewProductID ?? product).text,
            commitmentAutoRenewStatus: willAutoRenew ? 1 : 0,
            commitmentRenewalBillingPlanType: plan, commitmentRenewalDate: purchase.commitmentEnd?.milliseconds,
            commitmentRenewalPrice: willAutoRenew ? price : nil)
    }
}

extension StoredPurchase {
    /// The price of the next renewal in milliunits; `nil` if no price is known. Another one holds from the end of a
    /// commitment on.
    fileprivate var renewalPrice: Int? {
        guard let subscription else { return nil }
        let next = isWithinCommitment ? nil : subscription.nextPrice
        return subscription.nextOffer?.ownPrice ?? next ?? subscription.standardPrice
    }
}
