package import InAppPurchase

/// A receipt and who sent it.
package struct ListedReceipt: Sendable {
    /// What an operator may have something to do about.
    package enum Status: String, CaseIterable, Sendable {
        case pending
        case rejected
    }

    package var account: AccountID
    package var facts: ReceiptFacts

    package init(account: AccountID, facts: ReceiptFacts) {
        self.account = account
        self.facts = facts
    }
}
