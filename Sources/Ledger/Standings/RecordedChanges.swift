import InAppPurchase

/// The purchases that a write changed, and the condensed histories as they were before.
struct RecordedChanges {
    /// One purchase before and after the write.
    struct Change {
        /// `nil` if none of its copies was recorded.
        var before: RecordedTransaction?
        var after: RecordedTransaction

        /// Whether everything that histories and credits depend on is unchanged.
        var isSignatureOnly: Bool {
            guard let before else { return false }
            return before.transaction.unsigned == after.transaction.unsigned
                && before.transaction.offerUse == after.transaction.offerUse
                && before.transaction.leftDate == after.transaction.leftDate
                && before.transaction.paidUntil == after.transaction.paidUntil
                && (before.terms == nil) == (after.terms == nil)
                && (before.creditsFrom == nil) == (after.creditsFrom == nil)
                && before.owner == after.owner && before.creditedTo == after.creditedTo
        }

        var transactions: [Transaction] { [before?.transaction, after.transaction].compactMap(\.self) }
    }

    /// The condensed histories of the accounts concerned; an account whose histories were not condensed has no entry.
    private(set) var standings: [AccountID: [HistoryID: CondensedHistory]]
    private(set) var changes: [Transaction.Key: Change] = [:]
    /// The original transactions that were recorded before; `nil` if all were.
    private let known: [OriginalTransaction.Key: OriginalTransaction]?
    /// The accounts that got or lost an original transaction: all their purchases are read.
    private var moved: Set<AccountID> = []
    /// Those for whom a transaction was written that is no purchase.
    private var shown: Set<AccountID> = []

    /// No changes.
    init(standings: [AccountID: [HistoryID: CondensedHistory]]) {
        self.standings = standings
        known = nil
    }

    /// - Parameters:
    ///   - known: those of the original transactions that were recorded before.
    ///   - claimed: those that have an owner now.
    init(
        standings: [AccountID: [HistoryID: CondensedHistory]], known: [OriginalTransaction.Key: OriginalTransaction],
        claimed: [OriginalTransaction.Key: OriginalTransaction]
    ) {
        self.standings = standings
        self.known = known
        for (key, original) in claimed {
            let before = known[key]
            let transfers = original.transfers.count - (before?.transfers.count ?? 0)
            guard transfers != 0 || (before?.owner ?? original.owner) != original.owner else { continue }
            moved.formUnion([original.owner] + (before.map { [$0.owner] } ?? []) + original.formerOwners)
        }
    }

    mutating func add(_ change: Change) {
        if let key = change.after.purchaseKey { changes[key] = change }
        let keys = Set(change.transactions.map(\.originalTransactionKey))
        if keys.count > 1 { moved.formUnion(concerned(by: change)) }
        // Of many transfers not all are known, so that any account may be a former owner.
        let areKnown = keys.allSatisfy { known?[$0]?.transfers.count ?? 0 <= Claim.transfersPerWindow }
        if !areKnown { readAll() }
    }

    /// The histories of an account before the write; `nil` if all its purchases are to be read.
    func histories(of account: AccountID) -> [HistoryID: CondensedHistory]? {
        moved.contains(account) ? nil : standings[account]
    }

    /// The changes in the histories of an account, oldest purchases first.
    func changes(for account: AccountID) -> [Change] {
        changes.values.filter { concerned(by: $0).contains(account) }.sorted {
            ($0.after.transaction.purchaseDate, $0.after.transaction.id)
                < ($1.after.transaction.purchaseDate, $1.after.transaction.id)
        }
    }

    private func concerned(by change: Change) -> Set<AccountID> {
        let records = [change.before, change.after].compactMap(\.self)
        let former = change.transactions.flatMap { known?[$0.originalTransactionKey]?.formerOwners ?? [] }
        return Set(records.flatMap { [$0.owner, $0.creditedTo] } + former)
    }

    /// Has all purchases of every account read.
    mutating func readAll() { standings = [:] }

    /// Adds a transaction that changes no purchase: it only shows its original transaction.
    mutating func addEvidence(_ record: RecordedTransaction) {
        shown.formUnion(concerned(by: Change(before: nil, after: record)))
    }

    /// Whether a transaction was written that the account owns or owned, or that credits it.
    func concerns(_ account: AccountID) -> Bool {
        shown.contains(account) || changes.values.contains { concerned(by: $0).contains(account) }
    }

    /// Whether other transactions of the same original transaction may be recorded.
    func wasKnown(_ original: OriginalTransaction.Key) -> Bool { known.map { $0[original] != nil } ?? true }
}

extension OriginalTransaction {
    fileprivate var formerOwners: [AccountID] { transfers.flatMap { [$0.from, $0.to] } }
}
