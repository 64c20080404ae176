/// A customer's transactions, as the simulator lists them.
struct SimulatorTransactions: Sendable, Decodable {
    /// The transactions as JWS, the unfinished ones first.
    var transactions: [String]
    /// The number of those that are not finished.
    var unfinished: Int
}
