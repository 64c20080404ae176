/// How much of a ledger was checked.
package struct LedgerCounts: Hashable, Codable, Sendable {
    package var accounts = 0
    package var transactions = 0
    package var postings = 0
    package var spends = 0
    package var receipts = 0
    package var differences = 0

    package init() {}
}
