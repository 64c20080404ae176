import InAppPurchase

struct PurchaseOfferBody: Encodable {
    var type: Int?
    var id: String?
    var discountType: String?
    var period: String?

    init(_ offer: PurchaseOffer) {
        type = offer.type
        id = offer.id
        discountType = offer.discountType
        period = offer.period
    }
}
