/// The body of `POST /v1/balances/{currency}/spend`.
struct SpendRequest: Sendable, Encodable {
    var amount: Int
    var bundleID: String
    var environment: StoreEnvironment?
}
