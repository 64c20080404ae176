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

extension LedgerRows {
    func refunds(of account: AccountID, in scope: Scope) throws -> [AppliedRefund] {
        try all(
            "SELECT * FROM refunds WHERE account = ? AND app = ? AND environment = ?",
            [account.text, scope.app, scope.environment.rawValue]
        ).map(AppliedRefund.init)
    }

    func refunds(of account: AccountID, in scope: Scope, among ids: Set<TransactionID>) throws -> [AppliedRefund] {
        try all(of: ids, Self.refundsOfPurchases, [account.text, scope.app, scope.environment.rawValue])
            .map(AppliedRefund.init)
    }

    private static let refundsOfPurchases = KeyedSelection<TransactionID> { dialect in
        """
        SELECT refunds.* FROM keys \(dialect.orderedJoin) refunds USING (id)
        WHERE account = ? AND app = ? AND environment = ?
        """
    }

    func refunds(of account: AccountID) throws -> [AppliedRefund] {
        try all("SELECT * FROM refunds WHERE account = ?", [account.text]).map(AppliedRefund.init)
    }

    func write(_ refund: AppliedRefund) throws {
        let key = refund.key
        try send(
            """
            INSERT INTO refunds (account, app, environment, id, currency, product, amount, forgiven)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, id, currency) DO UPDATE SET
                product = excluded.product, amount = excluded.amount, forgiven = excluded.forgiven
            """,
            [
                key.account.text, key.scope.app, key.scope.environment.rawValue, key.transaction, key.currency,
                refund.product, refund.amount, refund.forgiven,
            ])
    }
}

extension AppliedRefund {
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            key: Key(
                account: row.account("account"), scope: row.scope(), transaction: row["id"], currency: row["currency"]),
            product: row["product"], amount: row["amount"], forgiven: row["forgiven"])
    }
}

extension LedgerRows {
    static let grants =
        "SELECT g.*, m.product AS termsProduct FROM productGrants g LEFT JOIN terms m ON m.hash = g.terms "

    /// The time of an end that never comes, by which the index of standing grants is ordered.
    private static let never = Int64.max

    private static let standingGrants = SQLStatement(
        constant: grants + """
            WHERE g.account = ? AND g.revokedAt IS NULL AND coalesce(g.endsAt, \(never)) > ?
            ORDER BY coalesce(g.endsAt, \(never)) DESC LIMIT ?
            """)

    func standingGrants(of account: AccountID, at date: Date) throws -> [RecordedGrant] {
        guard !pending.accountsWithoutGrants.contains(account) else { return [] }
        return try all(Self.standingGrants, [account.text, date.milliseconds, ProductGrant.maximumStanding]).map(grant)
    }

    func grant(_ id: String, of account: AccountID) throws -> RecordedGrant? {
        try one("\(Self.grants)WHERE g.account = ? AND g.id = ?", [account.text, id]).map(grant)
    }

    func grant(withKey key: String, of account: AccountID, in app: BundleID) throws -> RecordedGrant? {
        try one("\(Self.grants)WHERE g.account = ? AND g.app = ? AND g.idempotencyKey = ?", [account.text, app, key])
            .map(grant)
    }

    func write(_ recorded: RecordedGrant) throws {
        let grant = recorded.grant
        pending.accountsWithoutGrants.remove(grant.account)
        try send(
            """
            INSERT INTO productGrants
                (account, id, app, environment, product, terms, endsAt, idempotencyKey, actor, reason, grantedAt, revokedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                grant.account.text, grant.id, grant.scope.app, grant.scope.environment.rawValue, grant.product,
                try record(terms: recorded.terms), grant.end?.milliseconds, grant.idempotencyKey, recorded.actor,
                recorded.reason, recorded.date.milliseconds, recorded.revokedAt?.milliseconds,
            ])
    }

    func revokeGrant(_ id: String, of account: AccountID, at date: Date) throws {
        try send(
            "UPDATE productGrants SET revokedAt = ? WHERE account = ? AND id = ? AND revokedAt IS NULL",
            [date.milliseconds, account.text, id])
    }

    /// The grant in a row of a selection that begins with ``grants``.
    func grant(_ row: SQLRow) throws -> RecordedGrant {
        try RecordedGrant(
            grant: ProductGrant(
                id: row["id"], account: row.account("account"), scope: row.scope(), product: row["product"],
                until: row.dateIfAny("endsAt"), idempotencyKey: row["idempotencyKey"]),
            terms: product(of: row), actor: row["actor"], reason: row["reason"], date: row.date("grantedAt"),
            revokedAt: row.dateIfAny("revokedAt"))
    }
}
