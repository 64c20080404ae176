struct HistoryResponse: Decodable, Sendable {
    var signedTransactions: [String]
    var revision: String?
    var hasMore: Bool
    /// The number in the app's App Store address; absent in the sandbox.
    var appAppleId: Int?
}
