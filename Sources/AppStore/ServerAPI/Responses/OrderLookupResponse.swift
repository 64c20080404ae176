struct OrderLookupResponse: Decodable, Sendable {
    /// The status of the order number: 0 valid, 1 invalid.
    var status: Int
    var signedTransactions: [String]?
}
