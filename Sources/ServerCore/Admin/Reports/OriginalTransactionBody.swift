import Foundation
import InAppPurchase

package struct OriginalTransactionBody: Codable {
    struct Move: Codable {
        var from: String
        var to: String
        var at: Date
        /// `payment` if the new owner paid for a period; omitted for other transfers.
        var by: String?
    }

    var app: BundleID
    var environment: Environment
    var originalID: TransactionID
    var owner: String
    var basis: OriginalTransaction.Basis
    /// The transfers, oldest first.
    var moves: [Move]
    /// Whether more accounts have paid for it than players have who change accounts; omitted if not.
    var sharing: Bool?
    /// Omitted if the App Store said nothing about a renewal.
    var renewal: RenewalBody?

    init(_ line: OriginalTransaction, _ renewal: RenewalFacts? = nil) {
        app = line.key.app
        environment = line.key.environment
        originalID = line.key.originalID
        owner = line.owner.text
        basis = line.basis
        moves = line.transfers.map {
            Move(from: $0.from.text, to: $0.to.text, at: $0.date, by: $0.isPayment ? "payment" : nil)
        }
        sharing = line.isShared ? true : nil
        self.renewal = renewal.map(RenewalBody.init)
    }
}

/// The App Store's last statement about a subscription's next renewal.
struct RenewalBody: Codable {
    var willAutoRenew: Bool?
    var autoRenewProduct: ProductID?
    var isInBillingRetry: Bool
    var gracePeriodExpirationDate: Date?
    var expirationReason: Int?
    var renewalDate: Date?
    /// In thousandths of the currency; of several seats the average of one.
    var price: Int?
    /// The number of seats that renew.
    var quantity: Int?
    var priceTiers: [SubscriptionBody.PriceTier]?
    var billingPlanType: String?
    var commitmentInfo: SubscriptionBody.RenewalCommitment?
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
        quantity = facts.details?.quantity
        priceTiers = facts.details?.priceTiers?.map { SubscriptionBody.PriceTier($0) }
        billingPlanType = facts.details?.billingPlan
        commitmentInfo = facts.details?.commitment.map { SubscriptionBody.RenewalCommitment($0) }
        currency = facts.details?.currency
        priceIncreaseStatus = facts.priceIncrease
        offer = facts.details?.offer.map(PurchaseOfferBody.init)
        winBackOffers = facts.details?.winBackOfferIDs
        recentStartDate = facts.details?.recentStartDate
        signedDate = facts.signedDate
    }
}
