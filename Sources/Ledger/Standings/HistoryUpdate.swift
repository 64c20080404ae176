import InAppPurchase

/// The histories of one account after a write.
struct HistoryUpdate {
    let account: AccountID
    private(set) var histories: [HistoryID: CondensedHistory]
    /// The histories that are to be condensed again, with their products.
    private(set) var outdated: [HistoryID: Set<ProductID>] = [:]
    /// The histories that are to be stored.
    private(set) var changed: Set<HistoryID> = []
    /// The histories that have no purchase any more.
    private(set) var emptied: Set<HistoryID> = []
    /// Whether the write changed a transaction of the account, so that its histories count as outdated.
    let isNeeded: Bool

    /// Adds what was recorded for the first time.
    ///
    /// - Returns: `nil` if all purchases of the account are to be read.
    init?(of account: AccountID, by changes: RecordedChanges) {
        guard let histories = changes.histories(of: account) else { return nil }
        self.account = account
        self.histories = histories
        let (own, isKeeping) = (changes.changes(for: account), histories.values.contains { $0.keeps })
        isNeeded = changes.concerns(account)
        for change in own {
            if change.isSignatureOnly {
                sign(change.after)
                continue
            }
            if change.mayConcernRetainedTimes(isKeeping, changes) || !change.after.hasPlainCredits { return nil }
            if change.before == nil {
                add(change.after)
            } else {
                for record in [change.before, change.after].compactMap(\.self) { setOutdated(record) }
            }
        }
    }

    private mutating func sign(_ record: RecordedTransaction) {
        let id = HistoryID(of: record)
        if histories[id]?.sign(record.transaction) == true { changed.insert(id) }
    }

    private mutating func add(_ record: RecordedTransaction) {
        let id = HistoryID(of: record)
        guard outdated[id] == nil else { return setOutdated(record) }
        guard var history = histories[id] ?? CondensedHistory(of: [], for: account) else { return }
        guard history.add(record, for: account) else { return setOutdated(record) }
        histories[id] = history
        changed.insert(id)
    }

    private mutating func setOutdated(_ record: RecordedTransaction) {
        outdated[HistoryID(of: record), default: []].insert(record.transaction.productID)
    }

    /// Replaces an outdated history.
    ///
    /// - Parameters:
    ///   - records: all transactions of its products.
    /// - Returns: whether its handler condenses, and it keeps no times, which may depend on other histories.
    mutating func replace(_ id: HistoryID, by records: [RecordedTransaction]) -> Bool {
        let records = records.purchases.filter { HistoryID(of: $0) == id }
        guard let history = CondensedHistory(of: records, for: account), !history.keeps else { return false }
        (histories[id], outdated[id]) = (records.isEmpty ? nil : history, nil)
        if records.isEmpty { emptied.insert(id) } else { changed.insert(id) }
        return true
    }
}

extension RecordedChanges.Change {
    /// Whether it may change what purchases under terms that keep have kept, which depends on all periods of an
    /// original transaction, in whatever history.
    ///
    /// - Parameter isKeeping: whether the account has such purchases.
    fileprivate func mayConcernRetainedTimes(_ isKeeping: Bool, _ changes: RecordedChanges) -> Bool {
        if after.terms?.afterExpiry == .keep { return true }
        guard isKeeping else { return false }
        return transactions.contains { $0.mayRenew || changes.wasKnown($0.originalTransactionKey) }
    }
}
