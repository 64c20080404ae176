import Foundation
package import InAppPurchase

extension ReceiptRecorder {
    /// Returns the state of one account: from its condensed histories, or from all its purchases if those are not
    /// enough.
    package func answers(of account: AccountID) throws -> AccountAnswers {
        try answers(of: account, for: [], RecordedChanges(standings: rows.standings(of: [account])))
    }

    /// - Parameter records: those whose access is asked for.
    func answers(
        of account: AccountID, for records: [RecordedTransaction], _ changes: RecordedChanges
    ) throws -> AccountAnswers {
        if let histories = changes.histories(of: account), let state = try condensed(account, histories) {
            let counted = CreditedPurchases(records.uniquePurchases, of: account).counted
            return .condensed(state, counted: counted)
        }
        return .full(try state(of: account))
    }

    private func condensed(
        _ account: AccountID, _ histories: [HistoryID: CondensedHistory]
    ) throws -> AccountEntitlements? {
        let renewing = AccountEntitlements.renewing(in: histories)
        return AccountEntitlements(
            account: account, histories: histories, renewals: renewing.isEmpty ? [:] : try rows.renewals(renewing),
            context: try rows.context(context, for: account))
    }

    /// Updates the condensed histories of an account after a write, reading no more purchases than it must, and posts
    /// the credits of the changed purchases.
    ///
    /// - Parameter records: those that the account owns, or that credit it.
    /// - Returns: `nil` if all purchases are to be read; nothing is then written.
    func updateAccount(
        _ account: AccountID, _ records: [RecordedTransaction], cause: String?, _ changes: RecordedChanges
    ) throws -> AccountAnswers? {
        guard let update = try update(of: account, changes), let state = try condensed(account, update.histories)
        else { return nil }
        let now = records.uniquePurchases
        let before = now.compactMap { record in
            record.purchaseKey.flatMap { changes.changes[$0] }.map(\.before) ?? record
        }
        let (earned, earlier) = (CreditedPurchases(now, of: account), CreditedPurchases(before, of: account))
        for scope in Set(records.map(\.scope)) {
            try postCredits(earned, over: earlier, to: account, in: scope, cause: cause)
        }
        try write(update)
        return .condensed(state, counted: earned.counted)
    }

    /// Updates the condensed histories of former owners.
    func updateStandings(besides accounts: some Collection<AccountID>, _ changes: RecordedChanges) throws {
        for account in Set(changes.standings.keys).subtracting(accounts).sorted(by: { $0.text < $1.text }) {
            guard let update = try update(of: account, changes) else { continue }
            try write(update)
        }
    }

    private func update(of account: AccountID, _ changes: RecordedChanges) throws -> HistoryUpdate? {
        guard var update = HistoryUpdate(of: account, by: changes) else { return nil }
        for (id, products) in update.outdated.sorted(by: { $0.key.order < $1.key.order }) {
            let all = products.union(update.histories[id]?.products.map(\.product) ?? [])
            let records = try all.sorted().flatMap { try rows.transactions(of: account, product: $0, in: id.scope) }
            guard update.replace(id, by: records) else { return nil }
        }
        return update
    }

    private func write(_ update: HistoryUpdate) throws {
        guard update.isNeeded else { return }
        try rows.write(
            update.histories.filter { update.changed.contains($0.key) }, of: update.account, removing: update.emptied)
    }

    /// Stores the condensed histories of an account all of whose purchases were read, if they can be condensed.
    func writeStandings(of state: AccountState) throws {
        guard let histories = state.condensed() else { return }
        try rows.replaceStandings(of: state.account, by: histories)
    }
}
