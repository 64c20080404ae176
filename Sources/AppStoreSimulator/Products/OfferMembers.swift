import InAppPurchase

/// The offer that a request names: an `offer` object, or the members `offerType`, `offerIdentifier`,
/// `offerDiscountType`, `offerPeriod` and `offerSignature` beside the others.
struct OfferMembers: Decodable {
    private enum CodingKeys: CodingKey { case offer, offerSignature }

    /// `nil` if the request names none.
    var offer: Offer?
    /// The signature of the offer by the app's server; `nil` if the request has none.
    var signature: String?

    init(from decoder: any Decoder) throws {
        // A mistake in these is reported even where the object counts.
        let named = try Offer.named(by: decoder.container(keyedBy: Offer.CodingKeys.self))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.offer), try !members.decodeNil(forKey: .offer) else {
            offer = named
            signature = try members.decodeIfPresent(String.self, forKey: .offerSignature)
            return
        }
        let object = try members.nestedContainer(keyedBy: Offer.ObjectKeys.self, forKey: .offer)
        offer = try Offer(object: object)
        signature = try object.decodeIfPresent(String.self, forKey: .signature)
    }
}
