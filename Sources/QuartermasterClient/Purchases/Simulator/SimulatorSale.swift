/// The simulator's answer to a purchase.
struct SimulatorSale: Sendable, Decodable {
    var signedTransaction: String
}
