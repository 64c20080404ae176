import InAppPurchase

/// The offer that a request names: an `offer` object, or the members `offerType`, `offerIdentifier`,
/// `offerDiscountType` and `offerPeriod` beside the others.
struct OfferMembers: Decodable {
    private enum CodingKeys: CodingKey { case offer, offerType, offerIdentifier }

    /// `nil` if the request names none.
    var offer: Offer?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if try members.contains(.offer) && !members.decodeNil(forKey: .offer) {
            offer = try Offer(object: members.nestedContainer(keyedBy: Offer.ObjectKeys.self, forKey: .offer))
        } else if members.contains(.offerType), try !members.decodeNil(forKey: .offerType) {
            offer = try Offer(from: decoder)
        } else {
            // Without a type it names nothing; a mistake in it is told all the same.
            _ = try members.decodeIfPresent(.offerIdentifier, "1 to 255 characters") { $0.identifier }
        }
    }
}
