import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    func postedCredits(of account: AccountID, in scope: Scope) throws -> [ProductID: Credits] {
        try all(
            """
            SELECT product, currency, CAST(sum(amount) AS BIGINT) AS amount FROM postings
            WHERE account = ? AND app = ? AND environment = ? AND product IS NOT NULL
            GROUP BY product, currency
            """, [account.text, scope.app, scope.environment.rawValue]
        ).reduce(into: [:]) { posted, row in
            posted[try row["product"], default: [:]][try row["currency"]] = try row["amount"]
        }
    }

    func post(_ posting: Posting) throws {
        let scope = posting.scope
        let balance: [SQLValue] = [
            .text(posting.account.text), .text(scope.app.text), .text(scope.environment.rawValue),
            .text(posting.currency.text), .integer(posting.amount),
        ]
        try send(
            Self.insertPosting,
            values: balance + [
                .text(posting.kind.rawValue), .maybe(posting.product?.text), .maybe(posting.cause),
                .integer(posting.date.milliseconds),
            ])
        try send(Self.addToBalance, values: balance)
        let wallet = Wallet(account: posting.account, scope: scope)
        guard let balance = pending.balances[wallet].map({ $0[posting.currency] ?? 0 }) else { return }
        pending.balances[wallet]?[posting.currency] = balance.saturatingAdding(posting.amount)
    }

    private static let insertPosting = SQLStatement(
        constant: """
            INSERT INTO postings (account, app, environment, currency, amount, kind, product, cause, postedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)

    private static let addToBalance = SQLStatement(
        constant: """
            INSERT INTO balances (account, app, environment, currency, amount) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, currency) DO UPDATE
            SET amount = balances.amount + excluded.amount
            """)

    static let balances = SQLStatement(
        constant: "SELECT currency, amount FROM balances WHERE account = ? AND app = ? AND environment = ?")

    func balances(of account: AccountID, in scope: Scope) throws -> Credits {
        let wallet = Wallet(account: account, scope: scope)
        return try pending.balances[wallet] ?? Self.credits(in: all(Self.balances, wallet.arguments))
    }

    static func credits(in rows: [SQLRow]) throws -> Credits {
        try rows.reduce(into: [:]) { $0[try $1["currency"]] = try $1["amount"] }
    }

    func spend(withKey key: String, of account: AccountID, in scope: Scope) throws -> RecordedSpend? {
        try one(
            """
            SELECT currency, amount, balance, spentAt FROM spends
            WHERE account = ? AND app = ? AND environment = ? AND idempotencyKey = ?
            """, [account.text, scope.app, scope.environment.rawValue, key]
        ).map { row in
            try RecordedSpend(
                spend: Spend(
                    account: account, scope: scope, currency: row["currency"], amount: row["amount"],
                    idempotencyKey: key), balance: row["balance"], date: row.date("spentAt"))
        }
    }

    func write(_ recorded: RecordedSpend) throws {
        let spend = recorded.spend
        try send(
            """
            INSERT INTO spends (account, app, environment, idempotencyKey, currency, amount, balance, spentAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                spend.account.text, spend.scope.app, spend.scope.environment.rawValue, spend.idempotencyKey,
                spend.currency, spend.amount, recorded.balance, recorded.date.milliseconds,
            ])
    }

    func newestStartingCredits() throws -> [BundleID: StartingCredits] {
        try all(
            """
            SELECT app, credits, proof FROM startingCredits s
            WHERE since = (SELECT max(since) FROM startingCredits n WHERE n.app = s.app)
            """, []
        ).reduce(into: [:]) { $0[try $1["app"]] = try StartingCredits($1) }
    }

    func write(_ setting: StartingCredits, of app: BundleID, since date: Date) throws {
        try send(
            "INSERT INTO startingCredits (app, since, credits, proof) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [app, date.milliseconds, try JSON.encode(setting.credits), setting.proof?.rawValue])
    }

    func ungivenStartingCredits(of account: AccountID, in scope: Scope) throws -> StartingCredits? {
        try one(
            """
            SELECT s.credits, s.proof FROM accounts a JOIN startingCredits s ON s.app = ?2
            WHERE a.id = ?1 AND s.credits <> '{}'
                AND s.since = (SELECT max(since) FROM startingCredits n WHERE n.app = ?2 AND n.since <= a.createdAt)
                AND NOT EXISTS (
                    SELECT 1 FROM startingCreditGrants WHERE account = ?1 AND app = ?2 AND environment = ?3)
            """, [account.text, scope.app, scope.environment.rawValue]
        ).map(StartingCredits.init)
    }

    func write(_ grant: StartingCreditsGrant) throws -> Bool {
        try one(
            """
            INSERT INTO startingCreditGrants (account, app, environment, credits, appTransactionID, grantedAt)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING account
            """,
            [
                grant.account.text, grant.scope.app, grant.scope.environment.rawValue,
                try JSON.encode(grant.credits), grant.appTransactionID, grant.date.milliseconds,
            ]) != nil
    }

    func startingCreditGrants(of account: AccountID) throws -> [StartingCreditsGrant] {
        try all("SELECT * FROM startingCreditGrants WHERE account = ?", [account.text]).map { row in
            try StartingCreditsGrant(
                account: account, scope: row.scope(), credits: JSON.decode(Credits.self, from: row["credits"]),
                appTransactionID: row["appTransactionID"], date: row.date("grantedAt"))
        }
    }
}

extension StartingCredits {
    fileprivate init(_ row: SQLRow) throws {
        let word: String? = try row["proof"]
        let proof = word.flatMap(StartingCreditsProof.init)
        guard (word == nil) == (proof == nil) else { throw LedgerUnavailable("unknown proof for starting credits") }
        self.init(credits: try JSON.decode(Credits.self, from: row["credits"]), proof: proof)
    }
}
