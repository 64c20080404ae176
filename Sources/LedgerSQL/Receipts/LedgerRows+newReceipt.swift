import InAppPurchase
import Ledger

extension LedgerRows {
    /// Runs the statement that inserts a receipt, and asks in the same round trip for what ``recorded(_:)``,
    /// ``standings(of:)`` and ``balances(of:in:)`` will be asked for, which then have it already.
    ///
    /// - Parameters:
    ///   - copies: the transactions of the receipt.
    ///   - account: the one that sent it.
    /// - Returns: the rows of the statement.
    func insert(by insertion: SQLQuestion, of copies: [Transaction], from account: AccountID) throws -> [SQLRow] {
        guard let first = copies.first else { return try db.all([insertion]).first ?? [] }
        let wallet = Wallet(account: account, scope: Scope(app: first.app, environment: first.environment))
        let (keys, accounts) = (Set(copies.map(CopyKey.init)), Set(copies.compactMap(\.ownerToken) + [account]))
        let (inserted, found) =
            if let key = keys.first, keys.count == 1, accounts.count == 1 {
                try ask(insertion, about: key, of: account)
            } else {
                try ask(insertion, about: keys, of: accounts, wallet)
            }
        pending.copies = (keys, found.copies)
        pending.standings = (accounts, found.standings)
        pending.balances[wallet] = try Self.credits(in: found.balances)
        return inserted
    }

    /// The rows that a new receipt asked for.
    private struct Found {
        var copies: [SQLRow] = []
        var standings: [SQLRow] = []
        var balances: [SQLRow] = []
    }

    /// Runs the insertion, and selects what a usual receipt needs by one more statement.
    private func ask(
        _ insertion: SQLQuestion, about key: CopyKey, of account: AccountID
    ) throws -> (inserted: [SQLRow], Found) {
        let answers = try db.all([
            insertion, (Self.copyOfAccount, key.arguments + StandingsKey(account: account).arguments),
        ])
        var found = Found()
        for row in answers.dropFirst().joined() {
            if try row["currency"] as String? != nil {
                found.balances.append(row)
            } else if try row["account"] as String? != nil {
                found.standings.append(row)
            } else {
                found.copies.append(row)
            }
        }
        return (answers.first ?? [], found)
    }

    private func ask(
        _ insertion: SQLQuestion, about keys: Set<CopyKey>, of accounts: Set<AccountID>, _ wallet: Wallet
    ) throws -> (inserted: [SQLRow], Found) {
        var questions = [insertion]
        Self.copies.each(of: keys, []) { questions.append(($0, $1)) }
        let copies = questions.count
        Self.standings.each(of: accounts.map(StandingsKey.init), []) { questions.append(($0, $1)) }
        let standings = questions.count
        questions.append((Self.balances, wallet.arguments))
        let answers = try db.all(questions)
        let found = Found(
            copies: Array(answers.prefix(copies).dropFirst().joined()),
            standings: Array(answers.prefix(standings).dropFirst(copies).joined()),
            balances: Array(answers.dropFirst(standings).joined()))
        return (answers.first ?? [], found)
    }

    /// In place of ``copyColumns(_:)``.
    private static let noCopy = Array(repeating: "NULL", count: 22).joined(separator: ", ")

    /// One copy, the standings of one account, and its balances, each in rows of its own.
    private static let copyOfAccount = SQLStatement { dialect in
        """
        SELECT \(copyColumns(dialect)),
            CAST(NULL AS TEXT) AS account, CAST(NULL AS BYTEA) AS history, CAST(NULL AS TEXT) AS version,
            CAST(NULL AS BYTEA) AS standing, CAST(NULL AS BOOLEAN) AS hasGrants,
            CAST(NULL AS TEXT) AS currency, CAST(NULL AS BIGINT) AS amount
        FROM (
            SELECT CAST(?1 AS TEXT) AS app, CAST(?2 AS TEXT) AS environment, CAST(?3 AS TEXT) AS id,
                CAST(?4 AS TEXT) AS originalID
        ) keys \(copyTables)
        UNION ALL
        SELECT \(noCopy),
            \(standingColumns(dialect)), NULL, NULL
        FROM (SELECT CAST(?5 AS TEXT) AS account, \(dialect.blob("?6")) AS uuid) keys \(standingTables(dialect))
        UNION ALL
        SELECT \(noCopy),
            NULL, NULL, NULL, NULL, NULL, currency, amount
        FROM balances WHERE account = ?5 AND app = ?1 AND environment = ?2
        """
    }
}
