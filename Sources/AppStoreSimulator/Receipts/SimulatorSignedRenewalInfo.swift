import Foundation
import InAppPurchase

/// The payload of signed renewal info (Apple, JWSRenewalInfoDecodedPayload). Dates are milliseconds since 1970.
struct SimulatorSignedRenewalInfo: Encodable {
    var originalTransactionId: String
    var productId: String
    var autoRenewProductId: String
    var autoRenewStatus: Int
    var renewalDate: Int?
    /// The price of the next renewal in milliunits of the currency; absent if there is no renewal.
    var renewalPrice: Int?
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
        autoRenewProductId = (renewal.autoRenewProductID ?? transaction.productID).text
        autoRenewStatus = renewal.willAutoRenew == true ? 1 : 0
        renewalDate = transaction.expirationDate?.milliseconds
        renewalPrice = autoRenewStatus == 1 ? subscription.renewalPrice : nil
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
    }
}

extension StoredPurchase.Subscription {
    /// The price of the next renewal in milliunits; `nil` if no price is known.
    fileprivate var renewalPrice: Int? { nextOffer?.ownPrice ?? nextPrice ?? standardPrice }
}
