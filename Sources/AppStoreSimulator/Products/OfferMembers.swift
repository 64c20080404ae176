import InAppPurchase

/// The offer that a request names: an `offer` object, or the members `offerType`, `offerIdentifier`,
/// `offerDiscountType` and `offerPeriod` beside the others.
struct OfferMembers: Decodable {
    private enum CodingKeys: CodingKey { case offer }

    /// `nil` if the request names none.
    var offer: Offer?

    init(from decoder: any Decoder) throws {
        // A mistake in these is told also where the object counts.
        let named = try Offer.named(by: decoder.container(keyedBy: Offer.CodingKeys.self))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.offer), try !members.decodeNil(forKey: .offer) else {
            offer = named
            return
        }
        offer = try Offer(object: members.nestedContainer(keyedBy: Offer.ObjectKeys.self, forKey: .offer))
    }
}
