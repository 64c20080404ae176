import InAppPurchase

/// The offer of a purchase or renewal (Apple, `offerType` and related members).
struct Offer: Hashable, Sendable {
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    static let types = 1...4
    static let introductory = 1
    static let freeTrial = "FREE_TRIAL"
    static let discountTypes: Set = [freeTrial, "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]

    var type: Int
    /// The offer's identifier; `nil` for introductory offers, which have none.
    var identifier: String?
    var discountType: String?
    /// The length of a period under the offer; `nil` for the usual length.
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
