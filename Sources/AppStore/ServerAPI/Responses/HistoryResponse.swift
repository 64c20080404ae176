struct HistoryResponse: Decodable, Sendable {
    var signedTransactions: [String]
    var revision: String?
    var hasMore: Bool
    /// Absent in the sandbox.
    var appAppleId: Int?
}
