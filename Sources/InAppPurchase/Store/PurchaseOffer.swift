/// The offer that a customer used for a purchase, or that applies to the next renewal.
///
/// Source: Apple, JWSTransactionDecodedPayload and JWSRenewalInfoDecodedPayload.
public struct PurchaseOffer: Hashable, Codable, Sendable {
    /// Apple's `offerType`: 1 introductory, 2 promotional, 3 offer code, 4 win-back. An open set.
    public var type: Int?
    /// Apple's `offerIdentifier`: the ID of a promotional or win-back offer, the reference name of an offer code;
    /// introductory offers have none.
    public var id: String?
    /// Apple's `offerDiscountType`: `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT`, `ONE_TIME`. An open set.
    public var discountType: String?
    /// Apple's `offerPeriod`: the length of the offer as an ISO 8601 duration.
    public var period: String?

    public init(type: Int? = nil, id: String? = nil, discountType: String? = nil, period: String? = nil) {
        self.type = type
        self.id = id
        self.discountType = discountType
        self.period = period
    }

    /// Whether the period of the offer is free (`FREE_TRIAL`, of any type of offer).
    public var isFreeTrial: Bool { discountType == "FREE_TRIAL" }

    /// Whether it is an introductory offer.
    public var isIntroductory: Bool { type == 1 }

    /// The offer; `nil` if nothing of it was stated.
    package var nonEmpty: Self? { self == Self() ? nil : self }

    /// Adds what another copy states.
    mutating func fill(from other: Self) {
        type = greater(type, other.type)
        id = greater(id, other.id)
        discountType = greater(discountType, other.discountType)
        period = greater(period, other.period)
    }
}
