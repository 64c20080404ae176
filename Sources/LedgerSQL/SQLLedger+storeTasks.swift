package import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func dueStoreTasks(limit: Int, lease: Date, at date: Date) async throws -> [StoreTask] {
        try await write { rows in
            try rows.due(in: .storeTasks, limit: limit, at: date, read: StoreTask.init) { task in
                try rows.postpone(task, task.attempts, until: lease)
            }
        }
    }

    package func postpone(_ task: StoreTask, attempts: Attempts, until retry: Date) async throws {
        try await write { rows in try rows.postpone(task, attempts, until: retry) }
    }

    package func complete(_ task: StoreTask, _ outcome: StoreTask.Outcome, at date: Date) async throws -> Bool {
        try await write { rows in
            let row = try rows.one("DELETE FROM storeTasks WHERE \(StoreTask.match) RETURNING id", task.matchArguments)
            guard row != nil else { return false }
            if task.key.kind == .setAccountToken, outcome == .done {
                let key = OriginalTransaction.Key(
                    app: task.key.app, environment: task.key.environment, originalID: task.key.id)
                try ReceiptRecorder(rows, RecordingContext(catalog: Catalog(), date: date)).setToken(
                    task.account, of: key)
            }
            if let entry = AuditEntry(task, outcome, at: date) { try rows.append(entry) }
            return true
        }
    }
}

extension LedgerRows {
    func write(_ task: StoreTask) throws {
        let (key, date) = (task.key, task.date.milliseconds)
        // A task that a worker has now keeps its time, so that two requests about one purchase never overtake each
        // other.
        try send(
            """
            INSERT INTO storeTasks (app, environment, kind, id, account, recordedAt, retryAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, kind, id) DO UPDATE SET
                account = excluded.account, recordedAt = excluded.recordedAt, attempts = 0, doubtfulAttempts = 0,
                badRequestAttempts = 0
            """,
            [key.app, key.environment.rawValue, key.kind.rawValue, key.id, task.account.text, date, date])
    }

    fileprivate func postpone(_ task: StoreTask, _ attempts: Attempts, until retry: Date) throws {
        try send(
            """
            UPDATE storeTasks SET attempts = ?, doubtfulAttempts = ?, badRequestAttempts = ?, retryAt = ?
            WHERE \(StoreTask.match)
            """,
            [attempts.count, attempts.ambiguous, attempts.badRequests, retry.milliseconds] + task.matchArguments)
    }
}

extension StoreTask {
    /// The row of this very task: if another owner was queued meanwhile, it is another task.
    fileprivate static let match = "app = ? AND environment = ? AND kind = ? AND id = ? AND account = ?"

    fileprivate var matchArguments: SQLArguments {
        [key.app, key.environment.rawValue, key.kind.rawValue, key.id, account.text]
    }

    fileprivate init(_ row: SQLRow) throws {
        guard let kind = Kind(rawValue: try row["kind"]) else {
            throw LedgerUnavailable("unknown kind of a store task")
        }
        try self.init(
            key: Key(kind: kind, app: row["app"], environment: row.environment(), id: row["id"]),
            account: row.account("account"), date: row.date("recordedAt"),
            attempts: Attempts(
                count: row["attempts"], ambiguous: row["doubtfulAttempts"], badRequests: row["badRequestAttempts"]))
    }
}

extension AuditEntry {
    /// The row for the outcome of a task; `nil` if the store was never asked.
    fileprivate init?(_ task: StoreTask, _ outcome: StoreTask.Outcome, at date: Date) {
        switch outcome {
        case .done, .refused, .tooLate: break
        case .withoutKey, .switchedOff: return nil
        }
        self.init(
            task.key.kind == .finish ? .transactionFinished : .accountTokenSet, account: task.account,
            subject: task.key.id.text,
            content: [
                "app": .string(task.key.app.text), "environment": .string(task.key.environment.rawValue),
                "outcome": .string(outcome.rawValue),
            ], at: date)
    }
}
