/// The answer to `POST /v1/balances/{currency}/spend`.
struct SpendAnswer: Sendable, Decodable {
    /// The balance after the spend.
    var balance: Int
}
