import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func notifications(
        after position: ListedNotification.Position?, limit: Int
    ) async throws -> [ListedNotification] {
        try await read { rows in
            // The newest milliseconds are before any that there can be.
            let date = position?.date.milliseconds ?? Int(Int64.max)
            return try rows.all(
                """
                SELECT id, type, subtype, app, environment, signedAt, recordedAt, appliedAt FROM notifications
                WHERE recordedAt <= ?1 AND (recordedAt < ?1 OR id < ?2)
                ORDER BY recordedAt DESC, id DESC LIMIT ?3
                """, [date, position?.id ?? "", limit]
            ).map(ListedNotification.init)
        }
    }
}

extension ListedNotification {
    fileprivate init(_ row: SQLRow) throws {
        let environment: String? = try row["environment"]
        self.init(
            id: try row["id"], type: try row["type"], subtype: try row["subtype"], app: try row["app"],
            environment: environment.flatMap(Environment.init(known:)), signedDate: try row.date("signedAt"),
            recordedDate: try row.date("recordedAt"), appliedDate: try row.dateIfAny("appliedAt"))
    }
}
