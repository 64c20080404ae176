import Foundation
import InAppPurchase
import Ledger

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
