package import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func subscriptionsAwaitingUpdate(limit: Int, at date: Date) async throws -> [SubscriptionAwaitingUpdate] {
        try await read { rows in
            var doubts: [SubscriptionAwaitingUpdate] = []
            let window = [
                (date - SubscriptionAwaitingUpdate.window).milliseconds,
                (date - SubscriptionAwaitingUpdate.delay).milliseconds,
            ]
            try rows.db.each(Self.endedSubscriptions(rows.db.dialect), window) { row in
                guard doubts.count < limit else { return }
                let original = try OriginalTransaction.Key(
                    app: row["app"], environment: row.environment(), originalID: row["originalID"])
                let facts = try (row["facts"] as String?).map { try JSON.decode(RenewalFacts.self, from: $0) }
                if let doubt = SubscriptionAwaitingUpdate(original, end: try row.date("endsAt"), facts: facts, at: date)
                {
                    doubts.append(doubt)
                }
            }
            return doubts
        }
    }

    /// The index is named, since SQLite would read all transactions of the app for each original transaction.
    private static func endedSubscriptions(_ dialect: SQLDialect) -> String {
        """
        SELECT e.app, e.environment, e.originalID, e.endsAt, r.facts FROM (
            SELECT app, environment, originalID, max(expiresAt) AS endsAt FROM transactions t
            WHERE expiresAt BETWEEN ? AND ? AND forgottenAt IS NULL AND NOT EXISTS (
                SELECT 1 FROM transactions n \(dialect.using(index: "transactionsLine"))
                WHERE n.app = t.app AND n.environment = t.environment AND n.originalID = t.originalID
                    AND n.expiresAt > t.expiresAt)
            GROUP BY app, environment, originalID
        ) e LEFT JOIN renewals r
            ON r.app = e.app AND r.environment = e.environment AND r.originalID = e.originalID
        ORDER BY e.endsAt DESC
        """
    }
}
