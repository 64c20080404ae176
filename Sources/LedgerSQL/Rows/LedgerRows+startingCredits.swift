import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
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
