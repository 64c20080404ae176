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
