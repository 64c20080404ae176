import InAppPurchase
package import Ledger
import ServerHTTP

/// A page of receipts, as `GET /admin/v1/receipts` returns it and `receipts list --json` prints it.
package struct ReceiptListBody: Codable {
    /// The maximum number of receipts on a page, which is read into memory as a whole.
    package static let maximumEntries = 1_000
    package static let defaultEntries = 100

    package struct Entry: Codable {
        private enum CodingKeys: String, CodingKey { case account }

        package var account: String
        package var facts: ReceiptFactsBody

        init(account: String, facts: ReceiptFactsBody) {
            self.account = account
            self.facts = facts
        }

        package init(from decoder: any Decoder) throws {
            facts = try ReceiptFactsBody(from: decoder)
            account = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .account)
        }

        /// Encodes the members of the receipt and the account in one object.
        package func encode(to encoder: any Encoder) throws {
            try facts.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(account, forKey: .account)
        }
    }

    package var receipts: [Entry]
    /// The value of `after` for the next page; omitted on the last page.
    package var next: String?

    /// Reads a page.
    ///
    /// - Returns: `nil` if there is no receipt after which the page is to begin.
    package init?(_ ledger: any ReportLedger, _ query: ReceiptListQuery) async throws {
        var further = query
        further.limit = query.limit + 1
        guard let listed = try await ledger.receipts(further) else { return nil }
        let page = listed.prefix(query.limit)
        receipts = page.map { Entry(account: $0.account.text, facts: ReceiptFactsBody($0.facts)) }
        next = listed.count > query.limit ? page.last?.facts.id : nil
    }

    /// The remarks for people: each reason on the page in words, with what can be done; and how to see more.
    package var remarks: [String] {
        let reasons = Set(receipts.compactMap(\.facts.reason)).sorted { $0.rawValue < $1.rawValue }
        return reasons.map { "\($0.rawValue): \($0.words) \($0.remedy)" }
            + (next.map { ["there are more: --after \($0)"] } ?? [])
    }

    package func table(for output: TextOutput) -> TextTable {
        TextTable(
            ["Account", "Came", "Receipt", "Kind", "Status", "Reason", "App", "Asked", "Again", "Trouble"],
            receipts.map { entry in
                let facts = entry.facts
                return [
                    entry.account, output.time(facts.recordedAt), facts.receipt, facts.kind.rawValue,
                    facts.status.rawValue, facts.reason?.rawValue ?? "", facts.bundleID?.text ?? "",
                    "\(facts.attempts)", facts.retryAt.map { output.time($0) } ?? "", facts.trouble ?? "",
                ]
            })
    }
}
