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
    // Not used, but checked to be numbers if they are present, as in Apple's libraries.
    private var offerType: Double?
    private var priceIncreaseStatus: Double?
    private var recentSubscriptionStartDate: Double?
    private var renewalDate: Double?
    private var renewalPrice: Double?

    var facts: RenewalFacts {
        RenewalFacts(
            willAutoRenew: autoRenewStatus == 1, autoRenewProductID: autoRenewProductId,
            isInBillingRetry: isInBillingRetryPeriod ?? false,
            gracePeriodExpirationDate: gracePeriodExpiresDate?.date, expirationReason: expirationIntent,
            signedDate: signedDate.date
        )
    }
}
