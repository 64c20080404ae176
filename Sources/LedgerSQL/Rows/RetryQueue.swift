import Foundation
import InAppPurchase
import Ledger

/// The rows of a table that wait for the App Store (`retryAt`), app by app, so that those of an app whose settings are
/// wrong do not keep the others from their turn. Transaction IDs are a queue of their own, address by address.
///
/// The index (group, `retryAt`, `recordedAt`) has these rows only, and every statement goes through it: what is read
/// depends on the number of groups and on how many rows are taken, not on how many wait.
struct RetryQueue {
    static let receipts = RetryQueue(
        table: "receipts", group: "q.app", condition: "q.retryAt IS NOT NULL AND q.kind <> 'transactionID'")
    static let notifications = RetryQueue(table: "notifications", group: "coalesce(q.app, '')")
    static let storeTasks = RetryQueue(table: "storeTasks", group: "q.app")

    static func transactionIDs(_ dialect: SQLDialect) -> RetryQueue {
        RetryQueue(
            table: "receipts", group: "coalesce(q.addressDigest, \(dialect.noBytes))",
            condition: "q.retryAt IS NOT NULL AND q.kind = 'transactionID'")
    }

    let table: String
    /// The app of a row `q` as it is indexed, empty if it has none; or what else the rows are shared by.
    let group: String
    /// The rows `q` that wait, as the index has them.
    var condition = "q.retryAt IS NOT NULL"

    /// The groups that have a row that is due: at most `limit`, those first whose row has waited longest.
    var dueGroups: SQLStatement {
        """
        WITH RECURSIVE parts (part) AS (
            SELECT (SELECT \(group) FROM \(table) q WHERE \(condition) ORDER BY \(group) LIMIT 1)
            UNION ALL
            SELECT (SELECT \(group) FROM \(table) q WHERE \(condition) AND \(group) > parts.part
                ORDER BY \(group) LIMIT 1)
            FROM parts WHERE parts.part IS NOT NULL
        ), heads AS (
            SELECT parts.part AS part, (SELECT q.retryAt FROM \(table) q WHERE \(condition) AND \(group) = parts.part
                ORDER BY q.retryAt LIMIT 1) AS due
            FROM parts WHERE parts.part IS NOT NULL
        )
        SELECT heads.part AS part FROM heads WHERE heads.due <= ? ORDER BY heads.due LIMIT ?
        """
    }

    /// The due rows of one group, those first that have waited longest.
    func dueRows(_ claim: String) -> SQLStatement {
        """
        SELECT * FROM \(table) q WHERE \(group) = ? AND \(condition) AND q.retryAt <= ?
        ORDER BY q.retryAt, q.recordedAt LIMIT ?\(claim)
        """
    }
}

extension LedgerRows {
    /// Takes rows that are due. Each app, or other group, has an equal share; what one does not need, the others get.
    ///
    /// - Parameters:
    ///   - type: that of the group's column.
    ///   - lease: removes the row from the due ones; called for each row that is taken.
    func due<Row, Group: SQLConvertible>(
        in queue: RetryQueue, sharedBy type: Group.Type = String.self, limit: Int, at date: Date,
        read: (SQLRow) throws -> Row, lease: (Row) throws -> Void
    ) throws -> [Row] {
        var groups: [Group] = try all(queue.dueGroups, [date.milliseconds, limit]).map { try $0["part"] }
        var picked: [Row] = []
        while !groups.isEmpty, picked.count < limit {
            var further: [Group] = []
            for (index, group) in groups.enumerated() where picked.count < limit {
                let (rest, left) = (limit - picked.count, groups.count - index)
                let share = (rest + left - 1) / left
                let rows = try all(queue.dueRows(claim), [group, date.milliseconds, share]).map(read)
                for row in rows { try lease(row) }
                picked += rows
                if rows.count == share { further.append(group) }
            }
            groups = further
        }
        return picked
    }
}
