package import InAppPurchase

/// The receipts that an operator looks for.
package struct ReceiptListQuery: Hashable, Sendable {
    package var status: ListedReceipt.Status
    /// The served app that the receipt, or the client, names; `nil` for every app.
    package var app: BundleID?
    /// The apps of the administrator's token: other receipts, and those whose app is not known, are not listed.
    package var reach = AdminReach.everything
    /// The reason of rejected receipts; `nil` for every reason.
    package var reason: ReceiptRejection.Reason?
    /// Whether the receipt that was recorded last comes first.
    package var isNewestFirst: Bool
    /// The ID of the last receipt of the previous page; `nil` for the first page.
    package var after: String?
    package var limit: Int

    package init(
        _ status: ListedReceipt.Status, app: BundleID? = nil, reason: ReceiptRejection.Reason? = nil,
        isNewestFirst: Bool = false, after: String? = nil, limit: Int
    ) {
        self.status = status
        self.app = app
        self.reason = reason
        self.isNewestFirst = isNewestFirst
        self.after = after
        self.limit = limit
    }
}

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

/// The queues of receipts that wait for the store. Each has workers of its own, so that transaction IDs, which anybody
/// can make up, do not keep receipts from their turn.
package enum ReceiptQueue: CaseIterable, Sendable {
    /// Everything but transaction IDs; each app has an equal share.
    case receipts
    /// Transaction IDs; each address has an equal share.
    case transactionIDs
}
