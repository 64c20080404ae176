import InAppPurchase

/// An offer in the product information, in the form of an `offer` object.
struct StoreOffer: Hashable, Codable, Sendable {
    var offer: Offer

    init(from decoder: any Decoder) throws {
        offer = try Offer(object: decoder.container(keyedBy: Offer.ObjectKeys.self))
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Offer.ObjectKeys.self)
        try members.encode(offer.type, forKey: .type)
        try members.encodeIfPresent(offer.identifier, forKey: .id)
        try members.encodeIfPresent(offer.discountType, forKey: .discountType)
        try members.encodeIfPresent(offer.period, forKey: .period)
        try members.encodeIfPresent(offer.periods, forKey: .periods)
        try members.encodeIfPresent(offer.ownPrice, forKey: .price)
    }
}
