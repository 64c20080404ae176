import InAppPurchase

/// An offer that a purchase or renewal was made under (Apple, `offerType` and its companions).
struct Offer: Hashable, Sendable {
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    static let types = 1...4
    static let introductory = 1
    static let freeTrial = "FREE_TRIAL"
    static let discountTypes: Set = [freeTrial, "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]

    var type: Int
    /// Introductory offers have none.
    var identifier: String?
    var discountType: String?
    /// How long a period under the offer lasts; nil: as long as any other.
    var period: CalendarDuration?

    var isFreeTrial: Bool { discountType == Self.freeTrial }
}

extension Offer: Codable {
    enum CodingKeys: String, CodingKey {
        case type = "offerType"
        case identifier = "offerIdentifier"
        case discountType = "offerDiscountType"
        case period = "offerPeriod"
    }

    /// - Throws: `DecodingError` with the path to the mistake.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(Int.self, forKey: .type)
        guard Self.types.contains(type) else { throw members.mistake(.type, "1 to 4") }
        identifier = try members.decodeIfPresent(.identifier, "1 to 255 characters") { $0.identifier }
        discountType = try members.decodeIfPresent(.discountType, "FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME") {
            Self.discountTypes.contains($0) ? $0 : nil
        }
        period = try members.decodeIfPresent(CalendarDuration.self, forKey: .period)
    }
}
