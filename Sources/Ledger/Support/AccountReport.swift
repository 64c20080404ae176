package import InAppPurchase
package import Foundation

/// An account and what hangs on it. Has neither tokens nor codes, nor what a receipt says.
package struct AccountReport: Sendable {
    /// A year of a busy player; the audit trail has the rest.
    package static let maximumEntries = 200

    package var facts: AccountFacts
    package var sessions: Newest<Session>
    /// As the player sees them.
    package var entitlements: [ProductEntitlement]
    /// Also those that the app's sandbox setting hides from the player.
    package var balances: [Scope: Credits]
    /// Those whose original transaction it owns or owned, and those that credited it.
    package var transactions: Newest<RecordedTransaction>
    /// Of these transactions.
    package var originalTransactions: [OriginalTransaction]
    package var receipts: Newest<ReceiptFacts>
    package var spends: Newest<RecordedSpend>
    package var adjustments: Newest<RecordedAdjustment>
    package var postings: Newest<Posting>

    package init(
        facts: AccountFacts, sessions: Newest<Session>, entitlements: [ProductEntitlement],
        balances: [Scope: Credits], transactions: Newest<RecordedTransaction>,
        originalTransactions: [OriginalTransaction],
        receipts: Newest<ReceiptFacts>, spends: Newest<RecordedSpend>, adjustments: Newest<RecordedAdjustment>,
        postings: Newest<Posting>
    ) {
        self.facts = facts
        self.sessions = sessions
        self.entitlements = entitlements
        self.balances = balances
        self.transactions = transactions
        self.originalTransactions = originalTransactions
        self.receipts = receipts
        self.spends = spends
        self.adjustments = adjustments
        self.postings = postings
    }

    /// A device that was let in.
    package struct Session: Hashable, Sendable {
        package var openedAt: Date
        /// Nil while it is open.
        package var closedAt: Date?

        package init(openedAt: Date, closedAt: Date?) {
            self.openedAt = openedAt
            self.closedAt = closedAt
        }
    }
}

extension AccountState {
    /// Its transactions by the date of purchase.
    package func newest(_ limit: Int) -> Newest<RecordedTransaction> {
        Newest(records.sorted { $0.recency > $1.recency }, limit: limit)
    }
}

extension RecordedTransaction {
    fileprivate var recency: (Date, TransactionID) { (transaction.purchaseDate, transaction.id) }
}
