struct OrderLookupResponse: Decodable, Sendable {
    /// 0 valid, 1 invalid
    var status: Int
    var signedTransactions: [String]?
}
