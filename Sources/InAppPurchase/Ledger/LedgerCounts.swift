/// How much of a ledger was checked.
public struct LedgerCounts: Hashable, Codable, Sendable {
    public var accounts = 0
    public var transactions = 0
    public var postings = 0
    public var spends = 0
    public var receipts = 0
    public var differences = 0

    public init() {}
}
