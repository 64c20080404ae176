/// A customer's transactions as StoreKit has them on a device, the unfinished ones first.
struct SignedTransactions: Sendable, Encodable {
    /// As JWS.
    var transactions: [String]
    /// How many of them, from the first on, the app has not finished.
    var unfinished: Int
}
