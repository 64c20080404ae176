import Foundation
import InAppPurchase
import Ledger

// The table `historyRevisions` has a row for each account: `revision` is counted by triggers at each change of a row
// that the account's histories are made of, whichever version of the server changes it; `condensed` is the revision at
// which its standings were made. If they differ, the standings are out of date.
extension LedgerRows {
    func standings(of accounts: Set<AccountID>) throws -> [AccountID: [HistoryID: CondensedHistory]] {
        let found = pending.standings
        // From now on the rows may be written to.
        pending.standings = nil
        let others = accounts.subtracting(found?.accounts ?? [])
        return try standings(in: (found?.rows ?? []) + all(of: others.map(StandingsKey.init), Self.standings))
            .filter { accounts.contains($0.key) }
    }

    private func standings(in rows: [SQLRow]) throws -> [AccountID: [HistoryID: CondensedHistory]] {
        var histories: [AccountID: [HistoryID: CondensedHistory]] = [:]
        var outdated: Set<AccountID> = []
        for row in rows {
            let account = try row.account("account")
            if try !row["hasGrants"] { pending.accountsWithoutGrants.insert(account) }
            guard let name: Data = try row["history"] else {
                histories[account] = [:]
                continue
            }
            if let (id, history) = try standings.decode(name: name, standing: row["standing"], version: row["version"])
            {
                histories[account, default: [:]][id] = history
            } else {
                outdated.insert(account)
            }
        }
        return histories.filter { !outdated.contains($0.key) }
    }

    static let standings = KeyedSelection<StandingsKey> {
        "SELECT \(standingColumns($0)) FROM keys \(standingTables($0))"
    }

    /// The columns of ``standingTables(_:)``.
    static func standingColumns(_ dialect: SQLDialect) -> String {
        """
        r.account, s.history, s.version, s.standing, EXISTS (
            SELECT 1 FROM productGrants g \(dialect.using(index: "productGrantsStanding"))
            WHERE g.account = r.account AND g.revokedAt IS NULL) AS hasGrants
        """
    }

    /// The joins behind a table `keys` with the columns of ``StandingsKey``.
    static func standingTables(_ dialect: SQLDialect) -> String {
        """
        \(dialect.orderedJoin) historyRevisions r ON r.account = keys.account
        LEFT JOIN standings s ON s.account = keys.uuid
        WHERE r.condensed = r.revision
        """
    }

    func write(
        _ histories: [HistoryID: CondensedHistory], of account: AccountID, removing emptied: Set<HistoryID>
    ) throws {
        let uuid = account.bytes
        for id in emptied {
            try send("DELETE FROM standings WHERE account = ? AND history = ?", [uuid, standings.name(of: id)])
        }
        for (id, history) in histories {
            guard let version = standings.version(of: id.name.type) else { return }
            let encoded = try standings.encode(history, of: id)
            try send(
                Self.writeStanding, values: [.blob(uuid), .blob(encoded.name), .text(version), .blob(encoded.standing)])
        }
        // Otherwise a trigger does, for each that is written.
        if histories.isEmpty { try send(Self.setCondensed, [account.text]) }
    }

    func replaceStandings(of account: AccountID, by histories: [HistoryID: CondensedHistory]) throws {
        try send("DELETE FROM standings WHERE account = ?", [account.bytes])
        try write(histories, of: account, removing: [])
    }

    private static let writeStanding = SQLStatement(
        constant: """
            INSERT INTO standings (account, history, version, standing) VALUES (?, ?, ?, ?)
            ON CONFLICT (account, history) DO UPDATE SET version = excluded.version, standing = excluded.standing
            """)

    private static let setCondensed = SQLStatement(
        constant: """
            INSERT INTO historyRevisions (account, revision, condensed) VALUES (?, 0, 0)
            ON CONFLICT (account) DO UPDATE SET condensed = historyRevisions.revision
            """)
}

extension AccountID {
    /// The 16 bytes of the UUID.
    var bytes: Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}
