import Foundation
import InAppPurchase

/// The App Store's last statement about a subscription's next renewal.
struct RenewalBody: Encodable {
    var willAutoRenew: Bool?
    var autoRenewProduct: ProductID?
    var isInBillingRetry: Bool
    var gracePeriodExpirationDate: Date?
    var expirationReason: Int?
    var renewalDate: Date?
    /// In thousandths of the currency.
    var price: Int?
    var currency: String?
    var priceIncreaseStatus: Int?
    var offer: PurchaseOfferBody?
    var winBackOffers: [String]?
    /// The beginning of the subscription's current run.
    var recentStartDate: Date?
    var signedDate: Date

    init(_ facts: RenewalFacts) {
        willAutoRenew = facts.willAutoRenew
        autoRenewProduct = facts.autoRenewProductID
        isInBillingRetry = facts.isInBillingRetry
        gracePeriodExpirationDate = facts.gracePeriodExpirationDate
        expirationReason = facts.expirationReason
        renewalDate = facts.details?.renewalDate
        price = facts.details?.price
        currency = facts.details?.currency
        priceIncreaseStatus = facts.priceIncrease
        offer = facts.details?.offer.map(PurchaseOfferBody.init)
        winBackOffers = facts.details?.winBackOfferIDs
        recentStartDate = facts.details?.recentStartDate
        signedDate = facts.signedDate
    }
}
