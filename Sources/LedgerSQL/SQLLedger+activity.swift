package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func activity(since begin: Date, until end: Date) async throws -> LedgerActivity {
        try await read { rows in
            let unsealed = try rows.one(
                """
                SELECT at FROM audit WHERE sequence > coalesce((SELECT max(sequence) FROM auditSeals), 0)
                ORDER BY sequence LIMIT 1
                """, [])
            return LedgerActivity(
                newestPurchases: try rows.newestPurchases(since: begin, until: end),
                newestNotifications: try rows.newestNotifications(), oldestUnsealed: try unsealed?.date("at"))
        }
    }

    package func lastDelivery(of app: BundleID?, before date: Date) async throws -> Date? {
        try await read { rows in
            guard let app else { return try rows.newestNotifications(before: date).values.max() }
            return try rows.newestNotifications(of: app, before: date).values.max()
        }
    }

    package func missingProducts() async throws -> [MissingProduct] {
        let purchases = try await read { rows in
            // After a partial refund the player still paid the rest.
            let percentage = rows.db.dialect.member("percentage", in: "revocation", of: "facts")
            return try rows.all(
                """
                SELECT app, product, purchasedAt
                FROM transactions \(rows.db.dialect.using(index: "transactionsWithoutTerms"))
                WHERE terms IS NULL AND environment = 'Production' AND forgottenAt IS NULL
                    AND (purchase IS NULL OR purchase = id)
                    AND (revokedAt IS NULL OR CAST(\(percentage) AS BIGINT) < \(RefundShare.whole))
                LIMIT \(MissingProduct.maximumPurchases)
                """, []
            ).map { row in
                MissingProduct(
                    app: try row["app"], product: try row["product"], purchases: 1, oldest: try row.date("purchasedAt"))
            }
        }
        return MissingProduct.sums(of: purchases)
    }
}

extension LedgerRows {
    fileprivate func newestPurchases(since begin: Date, until end: Date) throws -> [BundleID: Date] {
        let found = try all(
            """
            SELECT app, max(purchasedAt) AS newest FROM (
                SELECT app, purchasedAt FROM transactions
                WHERE environment = 'Production' AND purchasedAt >= ? AND purchasedAt <= ?
                ORDER BY purchasedAt DESC LIMIT \(LedgerActivity.maximumPurchases)) AS found
            GROUP BY app
            """, [begin.milliseconds, end.milliseconds])
        return try found.reduce(into: [:]) { dates, row in dates[try row["app"]] = try row.date("newest") }
    }

    /// Finds each app, and the newest notification of each of its environments, by one index step.
    fileprivate func newestNotifications(before date: Date? = nil) throws -> [Scope: Date] {
        var newest: [Scope: Date] = [:]
        var last: BundleID?
        for _ in 0..<LedgerActivity.maximumApps {
            let next = try one(
                "SELECT min(app) AS app FROM notifications WHERE app > ? AND deliveredAt IS NOT NULL", [last ?? ""])
            guard let app: BundleID = try next?["app"] else { break }
            newest.merge(try newestNotifications(of: app, before: date)) { $1 }
            last = app
        }
        return newest
    }

    /// The newest notification of each environment of an app.
    fileprivate func newestNotifications(of app: BundleID, before date: Date?) throws -> [Scope: Date] {
        try Environment.known.reduce(into: [:]) { newest, environment in
            let row = try one(
                """
                SELECT max(deliveredAt) AS newest FROM notifications
                WHERE app = ? AND environment = ? AND deliveredAt IS NOT NULL AND deliveredAt < ?
                """, [app, environment.rawValue, date?.milliseconds ?? Int(Int64.max)])
            newest[Scope(app: app, environment: environment)] = try row?.dateIfAny("newest")
        }
    }
}
