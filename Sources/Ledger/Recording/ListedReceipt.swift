package import InAppPurchase

/// A receipt and the account that sent it.
package struct ListedReceipt: Sendable {
    /// The statuses that an operator may have to act on.
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
