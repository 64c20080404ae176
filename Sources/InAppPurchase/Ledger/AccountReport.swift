public import Foundation

/// Everything the ledger knows of an account, for whoever must find out what happened.
public protocol AccountReports: Sendable {
    /// - Parameter limit: how many entries each list has at most; the newest are kept.
    /// - Returns: nil where there is no such account.
    func accountReport(of account: AccountID, limit: Int, in context: RecordingContext) async throws -> AccountReport?

    /// The original transactions that have a transaction of this ID or this original ID, in any app and environment.
    func originalTransactions(withTransaction id: TransactionID) async throws -> [OriginalTransaction]

    /// The account that sent a receipt, also one that could not be read; nil where there is none with the ID.
    func account(ofReceipt id: String) async throws -> AccountID?
}

/// An account by itself.
public struct AccountFacts: Hashable, Sendable {
    public var account: AccountID
    public var createdAt: Date
    /// Since when it is shut out; nil where it is not.
    public var blockedAt: Date?
    /// Since when an administrator lets it use sandbox purchases as a tester; nil where none does.
    public var testerSince: Date?
    /// Since when it is offered versions on the channel beta; nil where it is not.
    public var betaSince: Date?

    public init(
        account: AccountID, createdAt: Date, blockedAt: Date?, testerSince: Date? = nil, betaSince: Date? = nil
    ) {
        self.account = account
        self.createdAt = createdAt
        self.betaSince = betaSince
        self.blockedAt = blockedAt
        self.testerSince = testerSince
    }
}

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

/// The newest entries of a list that may be longer, newest first.
public struct Newest<Entry: Sendable>: Sendable {
    public var entries: [Entry]
    /// There are older ones.
    public var isTruncated: Bool

    /// - Parameter entries: newest first; one more than `limit` tells that there are others.
    public init(_ entries: [Entry], limit: Int) {
        self.entries = Array(entries.prefix(max(0, limit)))
        isTruncated = entries.count > self.entries.count
    }
}

/// What became of a receipt, without what it says.
public struct ReceiptFacts: Sendable {
    public var id: String
    public var kind: Receipt.Kind
    public var status: ReceiptAnswer.Status
    public var rejection: ReceiptRejection.Reason?
    /// What the client named.
    public var bundleID: BundleID?
    public var attempts: Attempts
    public var recordedAt: Date
    /// When it was first answered with something else than "pending".
    public var answeredAt: Date?
    /// When the store is asked again.
    public var retryAt: Date?

    public init(
        id: String, kind: Receipt.Kind, status: ReceiptAnswer.Status, rejection: ReceiptRejection.Reason?,
        bundleID: BundleID?, attempts: Attempts, recordedAt: Date, answeredAt: Date?, retryAt: Date?
    ) {
        self.id = id
        self.kind = kind
        self.status = status
        self.rejection = rejection
        self.bundleID = bundleID
        self.attempts = attempts
        self.recordedAt = recordedAt
        self.answeredAt = answeredAt
        self.retryAt = retryAt
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
