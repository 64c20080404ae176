/// The answer to `POST /v1/balances/{currency}/spend`.
struct SpendAnswer: Sendable, Decodable {
    /// After the spend.
    var balance: Int
}
