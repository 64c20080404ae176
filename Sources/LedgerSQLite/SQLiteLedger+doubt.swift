public import Foundation
import GRDB
public import InAppPurchase

extension SQLiteLedger {
    public func linesInDoubt(limit: Int, at date: Date) async throws -> [LineInDoubt] {
        try await read { rows in
            let ended = try Row.fetchCursor(
                rows.db,
                sql: """
                    SELECT app, environment, originalID, max(expiresAt) AS expiresAt FROM transactions t
                    WHERE expiresAt BETWEEN ? AND ? AND forgottenAt IS NULL AND NOT EXISTS (
                        SELECT 1 FROM transactions n
                        WHERE n.app = t.app AND n.environment = t.environment AND n.originalID = t.originalID
                            AND n.expiresAt > t.expiresAt)
                    GROUP BY app, environment, originalID ORDER BY 4 DESC
                    """,
                arguments: [
                    (date - LineInDoubt.window).milliseconds, (date - LineInDoubt.delay).milliseconds,
                ])
            var doubts: [LineInDoubt] = []
            while doubts.count < limit, let row = try ended.next() {
                let line = Line.Key(
                    app: row["app"], environment: try row.environment(), originalID: row["originalID"])
                let facts = try rows.renewals([line])[line]
                if let doubt = LineInDoubt(line, end: row.date("expiresAt"), facts: facts, at: date) {
                    doubts.append(doubt)
                }
            }
            return doubts
        }
    }
}
