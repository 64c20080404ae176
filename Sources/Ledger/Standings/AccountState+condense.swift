import InAppPurchase

extension AccountState {
    /// Condenses all histories.
    ///
    /// - Returns: `nil` if one cannot be condensed: its handler does not do it.
    package func condensed() -> [HistoryID: CondensedHistory]? {
        guard records.allSatisfy(\.hasPlainCredits) else { return nil }
        var condensed: [HistoryID: CondensedHistory] = [:]
        for (id, history) in histories {
            // Renewals may decide the access of such a purchase at its own date, and they change.
            let mayChange = history.records.contains {
                $0.transaction.mayRenew && $0.transaction.expirationDate == nil
            }
            var summary = history.summary
            guard !(summary.keeps && mayChange), summary.condense(history.records, for: account) else { return nil }
            condensed[id] = summary
        }
        return condensed
    }
}
