/// A number of seats and the price of each, in milliunits (Apple, MultiSeatPriceTier).
struct SeatPriceTier: Encodable {
    var price: Int
    var quantity: Int
}
