import InAppPurchase
import Ledger

/// A page of receipts, as `GET /admin/v1/receipts` returns it and `receipts list --json` prints it, the oldest first.
struct ReceiptListBody: Encodable {
    /// The maximum of receipts in a page, which is read into memory as a whole.
    static let maximumEntries = 1_000
    static let defaultEntries = 100

    struct Entry: Encodable {
        private enum CodingKeys: String, CodingKey { case account }

        var account: String
        var facts: ReceiptFactsBody

        /// Encodes the members of the receipt and the account in one object.
        func encode(to encoder: any Encoder) throws {
            try facts.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(account, forKey: .account)
        }
    }

    var receipts: [Entry]
    /// The value of `after` for the next page; omitted on the last page.
    var next: String?

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - id: the last receipt of the page before.
    ///   - limit: at most ``maximumEntries``.
    /// - Returns: `nil` if there is no receipt with this ID.
    init?(_ ledger: any Ledger, _ status: ListedReceipt.Status, after id: String?, limit: Int) async throws {
        guard let listed = try await ledger.receipts(status, after: id, limit: limit + 1) else { return nil }
        receipts = listed.prefix(limit).map { Entry(account: $0.account.text, facts: ReceiptFactsBody($0.facts)) }
        next = listed.count > limit ? receipts.last?.facts.receipt : nil
    }

    /// The page for a terminal: a line for each receipt.
    var text: String {
        let lines = receipts.map { "\($0.account)  \($0.facts.text)" }
        let more = next.map { ["there are more: --after \($0)"] } ?? []
        return lines.isEmpty ? "none" : (lines + more).joined(separator: "\n")
    }
}
