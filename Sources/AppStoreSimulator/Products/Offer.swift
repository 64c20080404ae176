import InAppPurchase

/// The offer of a purchase or renewal (Apple, `offerType` and related members).
struct Offer: Hashable, Sendable {
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    static let types = 1...4
    static let introductory = 1
    static let promotional = 2
    static let winBack = 4
    static let freeTrial = "FREE_TRIAL"
    static let payAsYouGo = "PAY_AS_YOU_GO"
    static let discountTypes: Set = [freeTrial, payAsYouGo, "PAY_UP_FRONT", "ONE_TIME"]

    var type: Int
    /// The offer's identifier; `nil` for introductory offers, which have none.
    var identifier: String?
    var discountType: String?
    /// The length of a period under the offer; `nil` for the usual length.
    var period: CalendarDuration?
    /// The number of periods under the offer; `nil` for one.
    var periods: Int?
    /// The price of a period under the offer in milliunits; `nil` if it is not known. A free trial costs nothing.
    var price: Int?

    var isIntroductory: Bool { type == Self.introductory }

    var isFreeTrial: Bool { discountType == Self.freeTrial }

    /// The price of a period under the offer, if it is known.
    var ownPrice: Int? { isFreeTrial ? 0 : price }

    /// The offer in the period after this one; `nil` if this is its last.
    var rest: Offer? {
        guard discountType == Self.payAsYouGo, let periods, periods > 1 else { return nil }
        var rest = self
        rest.periods = periods - 1
        return rest
    }

    /// The offer with what is not stated taken from the one in the product information.
    func completed(by known: Offer?) -> Offer {
        guard let known else { return self }
        var offer = self
        offer.discountType = discountType ?? known.discountType
        offer.period = period ?? known.period
        offer.periods = periods ?? known.periods
        offer.price = price ?? known.price
        return offer
    }
}

extension Offer: Codable {
    enum CodingKeys: String, CodingKey {
        case type = "offerType"
        case identifier = "offerIdentifier"
        case discountType = "offerDiscountType"
        case period = "offerPeriod"
        case periods = "offerPeriods"
        case price = "offerPrice"
    }

    /// The members of an `offer` object.
    enum ObjectKeys: String, CodingKey {
        case type, id, discountType, period, periods, price, signature
    }

    /// - Throws: `DecodingError` with the path to the error.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let offer = try Self.named(by: members) else { throw members.invalid(.type, "1 to 4") }
        self = offer
    }

    /// The offer that the members name; `nil` without a type. Each member is checked, whether it is needed or not.
    ///
    /// - Throws: `DecodingError` with the path to the error.
    static func named(by members: KeyedDecodingContainer<CodingKeys>) throws -> Offer? {
        let type = try members.decodeIfPresent(Int.self, forKey: .type)
        if let type, !types.contains(type) { throw members.invalid(.type, "1 to 4") }
        var offer = Offer(type: type ?? introductory)
        offer.identifier = try members.decodeIfPresent(.identifier, "1 to 255 characters") { $0.identifier }
        offer.discountType = try members.decodeDiscountType(.discountType)
        offer.period = try members.decodeIfPresent(CalendarDuration.self, forKey: .period)
        offer.periods = try members.decode(.periods, in: SimulatorLimits.offerPeriods)
        offer.price = try members.decode(.price, in: SimulatorLimits.price)
        return type == nil ? nil : offer
    }

    /// - Parameter members: of an `offer` object: `{"type": 2, "id": "…"}`.
    init(object members: KeyedDecodingContainer<ObjectKeys>) throws {
        type = try members.decode(Int.self, forKey: .type)
        guard Self.types.contains(type) else { throw members.invalid(.type, "1 to 4") }
        identifier = try members.decodeIfPresent(.id, "1 to 255 characters") { $0.identifier }
        discountType = try members.decodeDiscountType(.discountType)
        period = try members.decodeIfPresent(CalendarDuration.self, forKey: .period)
        periods = try members.decode(.periods, in: SimulatorLimits.offerPeriods)
        price = try members.decode(.price, in: SimulatorLimits.price)
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeDiscountType(_ key: Key) throws -> String? {
        try decodeIfPresent(key, "FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME") {
            Offer.discountTypes.contains($0) ? $0 : nil
        }
    }
}
