public import Foundation

/// The facts of a subscription's next renewal that decide no access. Only signed renewal information has them; the
/// newest statement wins as a whole.
///
/// Source: Apple, JWSRenewalInfoDecodedPayload.
public struct RenewalDetails: Hashable, Codable, Sendable {
    /// A number of seats that renew at one price (MultiSeatPriceTier).
    public struct PriceTier: Hashable, Codable, Sendable {
        /// The price of one seat, in thousandths of ``RenewalDetails/currency``.
        public var price: Int
        /// The number of seats.
        public var quantity: Int

        public init(price: Int, quantity: Int) {
            self.price = price
            self.quantity = quantity
        }
    }

    /// The renewal that follows when the commitment ends (RenewalCommitmentInfo).
    public struct Commitment: Hashable, Codable, Sendable {
        /// Whether another commitment follows (`commitmentAutoRenewStatus`).
        public var willAutoRenew: Bool?
        /// The product that follows (`commitmentAutoRenewProductId`).
        public var productID: ProductID?
        /// How it is paid (`commitmentRenewalBillingPlanType`).
        public var billingPlan: String?
        /// When it begins (`commitmentRenewalDate`).
        public var renewalDate: Date?
        /// Its price in thousandths of ``RenewalDetails/currency`` (`commitmentRenewalPrice`).
        public var price: Int?

        public init() {}
    }

    /// The date of the next renewal, which is the end of the current period (`renewalDate`).
    public var renewalDate: Date?
    /// The price of the next renewal in thousandths of ``currency``, of several seats the average of one
    /// (`renewalPrice`).
    public var price: Int?
    /// The number of seats that renew (`renewalQuantity`).
    public var quantity: Int?
    /// The prices of the seats that renew (`renewalPriceTiers`).
    public var priceTiers: [PriceTier]?
    /// How the next period is paid (`renewalBillingPlanType`).
    public var billingPlan: String?
    /// The renewal after the commitment that runs.
    public var commitment: Commitment?
    /// The currency of the price (ISO 4217).
    public var currency: String?
    /// Apple's `priceIncreaseStatus`: 0 if the customer was asked for consent and has not answered, 1 if the customer
    /// consented or was only notified.
    public var priceIncreaseStatus: Int?
    /// The offer that applies to the next renewal.
    public var offer: PurchaseOffer?
    /// The win-back offers that the customer may use, best first (`eligibleWinBackOfferIds`).
    public var winBackOfferIDs: [String]?
    /// The beginning of the subscription's current run, gaps of up to 60 days included (`recentSubscriptionStartDate`).
    public var recentStartDate: Date?
    /// The date of this statement.
    public var signedDate: Date

    public init(signedDate: Date) { self.signedDate = signedDate }
}
