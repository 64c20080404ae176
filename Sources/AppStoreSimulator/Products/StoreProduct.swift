import Foundation
import InAppPurchase

/// A product as App Store Connect has it, and StoreKit describes it to the app.
struct StoreProduct: Codable, Hashable, Sendable {
    /// The price in a storefront.
    struct LocalPrice: Codable, Hashable, Sendable {
        /// The price in milliunits of the currency.
        var price: Int
        /// The currency (ISO 4217).
        var currency: String
    }

    /// The price of a product without any, in milliunits: 0.99.
    static let standardPrice = 990

    var id: ProductID
    /// The catalog's name of the type: `auto-renewable`.
    var type: String
    var displayName: String
    var description: String
    /// The price in the standard storefront, in milliunits.
    var price: Int
    var currency: String
    /// The prices in other storefronts, by country.
    var storefronts: [String: LocalPrice]?
    var isFamilyShareable: Bool
    /// The period of an auto-renewable subscription.
    var period: CalendarDuration?
    /// The name of the subscription group.
    var group: String?
    /// The level in the group, 1 the highest.
    var level: Int?
    var offers: [StoreOffer]?

    func price(in storefront: String) -> Int { storefronts?[storefront]?.price ?? price }

    /// The offer in the product information with the same type and identifier; `nil` if there is none.
    func offer(like offer: Offer) -> Offer? {
        offers?.map(\.offer).first { $0.type == offer.type && $0.identifier == offer.identifier }
    }

    var winBackOffers: [String]? {
        let all = (offers ?? []).filter { $0.offer.type == Offer.winBack }.compactMap(\.offer.identifier)
        return all.isEmpty ? nil : all
    }
}

extension StoreProduct {
    enum CodingKeys: CodingKey {
        case id, type, displayName, description, price, currency, storefronts, isFamilyShareable, period, group, level
        case offers
    }

    /// - Throws: `DecodingError` with the path to the error.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(.id, "1 to 255 characters") { $0.identifier.map(ProductID.init(stored:)) }
        let types = "consumable, non-consumable, non-renewing or auto-renewable"
        type = try members.decode(.type, types) { ProductType(word: $0)?.rawValue }
        displayName = try members.decodeIfPresent(String.self, forKey: .displayName) ?? id.text
        description = try members.decodeIfPresent(String.self, forKey: .description) ?? ""
        price = try members.decode(.price, in: SimulatorLimits.price) ?? Self.standardPrice
        currency =
            try members.decodeIfPresent(.currency, "a code of ISO 4217") { Storefront.isCode($0) ? $0 : nil }
            ?? Storefront.currency(of: Storefront.standard)
        storefronts = try members.decodeIfPresent([String: LocalPrice].self, forKey: .storefronts)
        isFamilyShareable = try members.decodeIfPresent(Bool.self, forKey: .isFamilyShareable) ?? false
        period = try members.decodeIfPresent(CalendarDuration.self, forKey: .period)
        group = try members.decodeIfPresent(.group, "1 to 255 characters") { $0.identifier }
        level = try members.decodeIfPresent(Int.self, forKey: .level)
        offers = try members.decodeIfPresent([StoreOffer].self, forKey: .offers)
    }
}

extension StoreProduct.LocalPrice {
    private enum CodingKeys: CodingKey { case price, currency }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let price = try members.decode(.price, in: SimulatorLimits.price) else {
            throw members.invalid(.price, "a price in milliunits")
        }
        self.price = price
        currency = try members.decode(.currency, "a code of ISO 4217") { Storefront.isCode($0) ? $0 : nil }
    }
}

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
