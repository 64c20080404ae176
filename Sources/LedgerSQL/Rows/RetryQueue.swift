import Foundation
import InAppPurchase
import Ledger

/// The rows of a table that wait for the App Store (`retryAt`), app by app, so that those of an app whose settings are
/// wrong do not keep the others from their turn.
///
/// The index (app, `retryAt`, `recordedAt`) has these rows only, and every statement goes through it: what is read
/// depends on the number of apps and on how many rows are taken, not on how many wait.
struct RetryQueue {
    static let receipts = RetryQueue(table: "receipts", app: "q.app")
    static let notifications = RetryQueue(table: "notifications", app: "coalesce(q.app, '')")

    static let storeTasks = RetryQueue(table: "storeTasks", app: "q.app")

    let table: String
    /// The app of a row `q` as it is indexed, empty if it has none.
    let app: String

    /// The apps that have a row that is due: at most `limit`, those first whose row has waited longest.
    var dueApps: String {
        """
        WITH RECURSIVE apps (app) AS (
            SELECT (SELECT \(app) FROM \(table) q WHERE q.retryAt IS NOT NULL ORDER BY \(app) LIMIT 1)
            UNION ALL
            SELECT (SELECT \(app) FROM \(table) q WHERE q.retryAt IS NOT NULL AND \(app) > apps.app
                ORDER BY \(app) LIMIT 1)
            FROM apps WHERE apps.app IS NOT NULL
        ), heads AS (
            SELECT apps.app AS app, (SELECT q.retryAt FROM \(table) q WHERE q.retryAt IS NOT NULL AND \(app) = apps.app
                ORDER BY q.retryAt LIMIT 1) AS due
            FROM apps WHERE apps.app IS NOT NULL
        )
        SELECT heads.app AS app FROM heads WHERE heads.due <= ? ORDER BY heads.due LIMIT ?
        """
    }

    /// The due rows of one app, those first that have waited longest.
    func dueRows(_ claim: String) -> String {
        """
        SELECT * FROM \(table) q WHERE \(app) = ? AND q.retryAt IS NOT NULL AND q.retryAt <= ?
        ORDER BY q.retryAt, q.recordedAt LIMIT ?\(claim)
        """
    }
}

extension LedgerRows {
    /// Takes rows that are due. Each app has an equal share; what one does not need, the others get.
    ///
    /// - Parameter lease: removes the row from the due ones; called for each row that is taken.
    func due<Row>(
        in queue: RetryQueue, limit: Int, at date: Date, read: (SQLRow) throws -> Row, lease: (Row) throws -> Void
    ) throws -> [Row] {
        var apps: [String] = try all(queue.dueApps, [date.milliseconds, limit]).map { try $0["app"] }
        var taken: [Row] = []
        while !apps.isEmpty, taken.count < limit {
            var further: [String] = []
            for (place, app) in apps.enumerated() where taken.count < limit {
                let (rest, left) = (limit - taken.count, apps.count - place)
                let share = (rest + left - 1) / left
                let rows = try all(queue.dueRows(claim), [app, date.milliseconds, share]).map(read)
                for row in rows { try lease(row) }
                taken += rows
                if rows.count == share { further.append(app) }
            }
            apps = further
        }
        return taken
    }
}
