import Foundation
import InAppPurchase

/// A product as StoreKit describes it to the app in one storefront.
struct ProductAnswer: Encodable {
    private static let locale = Locale(identifier: "en_US")

    var id: ProductID
    var type: String
    var displayName: String
    var description: String
    /// The price in milliunits of the currency.
    var price: Int
    var currency: String
    /// The price for people: `$4.99`.
    var displayPrice: String
    var isFamilyShareable: Bool
    var period: CalendarDuration?
    var group: String?
    var level: Int?
    var offers: [StoreOffer]?

    init(_ product: StoreProduct, in storefront: String) {
        id = product.id
        type = product.type
        displayName = product.displayName
        description = product.description
        price = product.price(in: storefront)
        currency = product.storefronts?[storefront]?.currency ?? product.currency
        displayPrice = (Decimal(price) / 1_000).formatted(.currency(code: currency).locale(Self.locale))
        isFamilyShareable = product.isFamilyShareable
        period = product.period
        group = product.group
        level = product.level
        offers = product.offers
    }
}
