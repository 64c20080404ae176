/// The numbers of rows of a ledger that were checked, and of differences found.
package struct LedgerCounts: Hashable, Codable, Sendable {
    package var accounts = 0
    package var transactions = 0
    package var postings = 0
    package var spends = 0
    package var receipts = 0
    package var differences = 0

    package init() {}
}
