public import Foundation

/// The facts of a subscription's next renewal that decide no access. Only signed renewal information has them; the
/// newest statement wins as a whole.
///
/// Source: Apple, JWSRenewalInfoDecodedPayload.
public struct RenewalDetails: Hashable, Codable, Sendable {
    /// The date of the next renewal, which is the end of the current period (`renewalDate`).
    public var renewalDate: Date?
    /// The price of the next renewal in thousandths of ``currency`` (`renewalPrice`).
    public var price: Int?
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
