import InAppPurchase
import Ledger

extension LedgerRows {
    /// Compares the standings of an account with those of its folded history, and what they answer at many dates.
    ///
    /// - Returns: the differences; none for standings that are out of date, which nothing is answered by.
    func wrongStandings(of state: AccountState) throws -> [LedgerDifference] {
        guard let kept = try standings(of: [state.account])[state.account] else { return [] }
        guard let folded = state.condensed() else {
            return [LedgerDifference(account: state.account, "standings", kept: "\(kept.count)", folded: "none")]
        }
        let texts = try (kept: texts(of: kept), folded: texts(of: folded))
        let wrong = try Set(texts.kept.keys).union(texts.folded.keys).filter { texts.kept[$0] != texts.folded[$0] }
            .map { id in
                LedgerDifference(
                    account: state.account, scope: id.scope, "standing of \(try JSON.encode(id.name))",
                    kept: texts.kept[id] ?? "none", folded: texts.folded[id] ?? "none")
            }
        return wrong.sorted { $0.description < $1.description } + state.wrongAnswers(by: kept)
    }

    /// Stores the condensed histories of an account if they are not stored, out of date, or wrong.
    ///
    /// - Returns: whether they were stored.
    func rebuildStandings(of account: AccountID, in context: RecordingContext) throws -> Bool {
        let state = try ReceiptRecorder(self, context).state(of: account)
        guard let folded = state.condensed() else { return false }
        if let kept = try standings(of: [account])[account], try texts(of: kept) == texts(of: folded) { return false }
        try replaceStandings(of: account, by: folded)
        return true
    }

    private func texts(of histories: [HistoryID: CondensedHistory]) throws -> [HistoryID: String] {
        try histories.mapValues { try JSON.encode($0) }
    }
}
