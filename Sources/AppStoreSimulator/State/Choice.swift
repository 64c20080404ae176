import Foundation
import InAppPurchase

/// The product and the offer that a customer chooses in an upgrade, a downgrade or another subscription of the group.
struct Choice: Hashable, Sendable {
    /// `nil` for the current product.
    var product: ProductID?
    /// `nil` for that of the product information, otherwise the current one.
    var period: CalendarDuration?
    /// The price of a period without the offer, in milliunits; `nil` as above.
    var price: Int?
    var offer: Offer?
    /// The `appAccountToken` of the purchase; `nil` for that of the period before.
    var account: UUID?
    /// The product's win-back offers, if there is product information.
    var winBackOffers: [String]?

    /// The choice with what is not stated taken from the product information.
    func completed(by known: StoreProduct?, in storefront: String) -> Choice {
        guard let known else { return self }
        var choice = self
        choice.period = period ?? known.period
        choice.price = price ?? known.price(in: storefront)
        choice.offer = offer.map { $0.completed(by: known.offer(like: $0)) }
        choice.winBackOffers = known.winBackOffers
        return choice
    }
}

extension Choice: Decodable {
    private enum CodingKeys: CodingKey { case productID, period, price, appAccountToken }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        product = try members.decodeIfPresent(.productID, "1 to 255 characters") {
            $0.identifier.map(ProductID.init(stored:))
        }
        period = try members.decodeIfPresent(.period, "an ISO 8601 duration such as P1M") {
            CalendarDuration(iso8601: $0)
        }
        account = try members.decodeIfPresent(.appAccountToken, "a UUID") { UUID(uuidString: $0) }
        price = try members.decode(.price, in: SimulatorLimits.price)
        offer = try OfferMembers(from: decoder).offer
    }
}
