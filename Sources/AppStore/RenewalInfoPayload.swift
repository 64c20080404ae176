import Foundation
import InAppPurchase

/// The members of JWSRenewalInfoDecodedPayload that are used, under Apple's names; all others are ignored.
struct RenewalInfoPayload: Decodable {
    var originalTransactionId: StoreID
    var autoRenewProductId: String?
    var autoRenewStatus: Int
    var isInBillingRetryPeriod: Bool?
    var gracePeriodExpiresDate: StoreDate?
    var expirationIntent: Int?
    var signedDate: StoreDate
    var environment: String?

    var facts: RenewalFacts {
        RenewalFacts(
            willAutoRenew: autoRenewStatus == 1, autoRenewProductID: autoRenewProductId,
            isInBillingRetry: isInBillingRetryPeriod ?? false,
            gracePeriodExpirationDate: gracePeriodExpiresDate?.date, expirationReason: expirationIntent,
            signedDate: signedDate.date
        )
    }
}
