public import Foundation

/// An account and what hangs on it. Has neither tokens nor codes, nor what a receipt says.
public struct AccountReport: Sendable {
    /// A year of a busy player; the audit trail has the rest.
    public static let maximumEntries = 200

    public var facts: AccountFacts
    public var sessions: Newest<Session>
    /// As the player sees them.
    public var entitlements: [ProductEntitlement]
    /// Also those that the app's sandbox setting hides from the player.
    public var balances: [Scope: Credits]
    /// Those whose original transaction it owns or owned, and those that credited it.
    public var transactions: Newest<RecordedTransaction>
    /// Of these transactions.
    public var originalTransactions: [OriginalTransaction]
    public var receipts: Newest<ReceiptFacts>
    public var spends: Newest<RecordedSpend>
    public var adjustments: Newest<RecordedAdjustment>
    public var postings: Newest<Posting>

    public init(
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
    public struct Session: Hashable, Sendable {
        public var openedAt: Date
        /// Nil while it is open.
        public var closedAt: Date?

        public init(openedAt: Date, closedAt: Date?) {
            self.openedAt = openedAt
            self.closedAt = closedAt
        }
    }
}

extension AccountState {
    /// Its transactions by the date of purchase.
    public func newest(_ limit: Int) -> Newest<RecordedTransaction> {
        Newest(records.sorted { $0.recency > $1.recency }, limit: limit)
    }
}

extension RecordedTransaction {
    fileprivate var recency: (Date, TransactionID) { (transaction.purchaseDate, transaction.id) }
}
