/// Receipts of all accounts, for the operator.
public protocol ReceiptLists: Sendable {
    /// Receipts of one status, the oldest first.
    ///
    /// - Parameter id: of the last receipt of the page before; nil for the first page.
    /// - Returns: at most `limit`, without their bytes; nil if there is no receipt of this ID.
    func receipts(_ status: ListedReceipt.Status, after id: String?, limit: Int) async throws -> [ListedReceipt]?
}

/// A receipt and who sent it.
public struct ListedReceipt: Sendable {
    /// What an operator may have something to do about.
    public enum Status: String, CaseIterable, Sendable {
        case pending
        case rejected
    }

    public var account: AccountID
    public var facts: ReceiptFacts

    public init(account: AccountID, facts: ReceiptFacts) {
        self.account = account
        self.facts = facts
    }
}
