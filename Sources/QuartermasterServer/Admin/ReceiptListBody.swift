import InAppPurchase

/// Receipts as `GET /admin/v1/receipts` answers them and `receipts list --json` prints them, the oldest first.
struct ReceiptListBody: Encodable {
    /// A page is read whole into memory.
    static let maximumEntries = 1_000
    static let defaultEntries = 100

    struct Entry: Encodable {
        private enum CodingKeys: String, CodingKey { case account }

        var account: String
        var facts: ReceiptFactsBody

        /// The members of the receipt beside the account's.
        func encode(to encoder: any Encoder) throws {
            try facts.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(account, forKey: .account)
        }
    }

    var receipts: [Entry]
    /// What to ask for as `after` for the next page; left out on the last page.
    var next: String?

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - id: of the last receipt of the page before.
    ///   - limit: at most ``maximumEntries``.
    /// - Returns: nil if there is no receipt of this ID.
    init?(_ lists: any ReceiptLists, _ status: ListedReceipt.Status, after id: String?, limit: Int) async throws {
        guard let listed = try await lists.receipts(status, after: id, limit: limit + 1) else { return nil }
        receipts = listed.prefix(limit).map { Entry(account: $0.account.text, facts: ReceiptFactsBody($0.facts)) }
        next = listed.count > limit ? receipts.last?.facts.receipt : nil
    }

    /// For a terminal: a line for each receipt.
    var text: String {
        let lines = receipts.map { "\($0.account)  \($0.facts.text)" }
        let more = next.map { ["there are more: --after \($0)"] } ?? []
        return lines.isEmpty ? "none" : (lines + more).joined(separator: "\n")
    }
}
