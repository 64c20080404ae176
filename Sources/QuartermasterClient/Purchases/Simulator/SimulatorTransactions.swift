/// A customer's transactions, as the simulator lists them.
struct SimulatorTransactions: Sendable, Decodable {
    /// As JWS, the unfinished ones first.
    var transactions: [String]
    /// How many are not finished.
    var unfinished: Int
}
