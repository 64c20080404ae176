import Foundation
import InAppPurchase
import Ledger

// The table `historyRevisions` has a row for each account: `revision` is counted by triggers at each change of a row
// that the account's histories are made of, whichever version of the server changes it; `condensed` is the revision at
// which its standings were made. If they differ, the standings are out of date.
extension LedgerRows {
    func standings(of accounts: Set<AccountID>) throws -> [AccountID: [HistoryID: CondensedHistory]] {
        var standings: [AccountID: [HistoryID: CondensedHistory]] = [:]
        var outdated: Set<AccountID> = []
        for row in try all(of: accounts, Self.standings) {
            let account = try row.account("account")
            guard let name: String = try row["history"] else {
                standings[account] = [:]
                continue
            }
            if let (id, history) = try condensedHistory(row, name) {
                standings[account, default: [:]][id] = history
            } else {
                outdated.insert(account)
            }
        }
        return standings.filter { !outdated.contains($0.key) }
    }

    private static let standings = KeyedSelection<AccountID> { dialect in
        """
        SELECT r.account, s.app, s.environment, s.history, s.version, s.standing
        FROM keys \(dialect.orderedJoin) historyRevisions r ON r.account = keys.account
        LEFT JOIN standings s ON s.account = r.account
        WHERE r.condensed = r.revision
        """
    }

    private func condensedHistory(_ row: SQLRow, _ name: String) throws -> (HistoryID, CondensedHistory)? {
        let id = HistoryID(scope: try row.scope(), name: try JSON.decode(HistoryID.Name.self, from: name))
        guard let version = standings.version(of: id.name.type), version == (try row["version"] as String),
            let history = standings.decode(try row["standing"], of: id.name.type)
        else { return nil }
        return (id, history)
    }

    func write(
        _ histories: [HistoryID: CondensedHistory], of account: AccountID, removing emptied: Set<HistoryID>
    ) throws {
        for id in emptied {
            try send(
                "DELETE FROM standings WHERE account = ? AND app = ? AND environment = ? AND history = ?",
                [account.text, id.scope.app, id.scope.environment.rawValue, JSON.encode(id.name)])
        }
        for (id, history) in histories {
            guard let version = standings.version(of: id.name.type) else { return }
            try send(
                Self.writeStanding,
                [
                    account.text, id.scope.app, id.scope.environment.rawValue, JSON.encode(id.name), version,
                    standings.encode(history, of: id.name.type),
                ])
        }
        try send(Self.setCondensed, [account.text])
    }

    func replaceStandings(of account: AccountID, by histories: [HistoryID: CondensedHistory]) throws {
        try send("DELETE FROM standings WHERE account = ?", [account.text])
        try write(histories, of: account, removing: [])
    }

    private static let writeStanding = SQLStatement(
        """
        INSERT INTO standings (account, app, environment, history, version, standing) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (account, app, environment, history) DO UPDATE
        SET version = excluded.version, standing = excluded.standing
        """)

    private static let setCondensed = SQLStatement(
        """
        INSERT INTO historyRevisions (account, revision, condensed) VALUES (?, 0, 0)
        ON CONFLICT (account) DO UPDATE SET condensed = historyRevisions.revision
        """)
}
