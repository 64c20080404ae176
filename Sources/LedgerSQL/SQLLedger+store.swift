package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func record(
        _ notification: AppStoreNotification, in context: RecordingContext
    ) async throws -> Observation? {
        try await write { rows in
            guard try rows.record(notification, retryAt: nil, at: context.date) else { return nil }
            try rows.ask(about: notification)
            return try rows.apply(notification, in: context)
        }
    }

    package func enqueue(_ notification: AppStoreNotification, retryAt retry: Date, at date: Date) async throws -> Bool
    {
        try await write { rows in
            guard try rows.record(notification, retryAt: retry, at: date) else { return false }
            try rows.append(
                AuditEntry(
                    .notificationRecorded, subject: notification.id, content: ["type": .string(notification.type)],
                    at: date))
            return true
        }
    }

    package func dueNotifications(limit: Int, lease: Date, at date: Date) async throws -> [PendingNotification] {
        try await write { rows in
            let due = try rows.due(in: .notifications, limit: limit, at: date, read: NotificationRow.init) { row in
                try rows.postpone(row.pending.notification.id, row.pending.attempts, until: lease)
            }
            return due.map(\.pending)
        }
    }

    package func complete(
        notification id: String, _ facts: VerifiedReceipt?, in context: RecordingContext
    ) async throws -> Observation? {
        try await write { rows in
            guard let row = try rows.notification(id), row.isDue else { return nil }
            var notification = row.pending.notification
            notification.facts = facts ?? VerifiedReceipt(transactions: [])
            return try rows.apply(notification, in: context)
        }
    }

    package func postpone(notification id: String, attempts: Attempts, until retry: Date) async throws {
        try await write { rows in try rows.postpone(id, attempts, until: retry) }
    }

    package func observe(
        _ facts: VerifiedReceipt, cause: String, in context: RecordingContext
    ) async throws -> Observation {
        try await write { rows in try ReceiptRecorder(rows, context).observe(facts, cause: cause) }
    }

    package func notifications(
        of app: BundleID?, after position: ListedNotification.Position?, limit: Int
    ) async throws -> [ListedNotification] {
        try await read { rows in
            // Later than any date, so that the first page begins with the newest.
            let date = position?.date.milliseconds ?? Int(Int64.max)
            let arguments: SQLArguments = [date, position?.id ?? "", limit]
            return try rows.all(
                Self.notifications(ofOneApp: app != nil), app.map { arguments + [$0] } ?? arguments
            ).map(ListedNotification.init)
        }
    }

    /// The statement of a page, by the index of all or of one app's.
    package static func notifications(ofOneApp isOfOneApp: Bool) -> SQLStatement {
        """
        SELECT id, type, subtype, app, environment, signedAt, recordedAt, deliveredAt, appliedAt
        FROM notifications
        WHERE \(isOfOneApp ? "app = ?4 AND " : "")recordedAt <= ?1 AND (recordedAt < ?1 OR id < ?2)
        ORDER BY recordedAt DESC, id DESC LIMIT ?3
        """
    }
}

extension LedgerRows {
    fileprivate func apply(_ notification: AppStoreNotification, in context: RecordingContext) throws -> Observation {
        try finish(notification: notification.id, at: context.date)
        return try ReceiptRecorder(self, context).apply(notification)
    }

    fileprivate func postpone(_ id: String, _ attempts: Attempts, until retry: Date) throws {
        try send(
            """
            UPDATE notifications SET attempts = ?, doubtfulAttempts = ?, badRequestAttempts = ?, retryAt = ?
            WHERE id = ? AND retryAt IS NOT NULL
            """, [attempts.count, attempts.ambiguous, attempts.badRequests, retry.milliseconds, id])
    }
}

// MARK: Subscriptions without a notification

extension SQLLedger {
    package func subscriptionsAwaitingUpdate(limit: Int, at date: Date) async throws -> [SubscriptionAwaitingUpdate] {
        try await read { rows in
            var found: [SubscriptionAwaitingUpdate] = []
            let window = [
                (date - SubscriptionAwaitingUpdate.window).milliseconds,
                (date - SubscriptionAwaitingUpdate.delay).milliseconds,
            ]
            try rows.db.each(Self.endedSubscriptions(rows.db.dialect), window) { row in
                guard found.count < limit else { return }
                let original = try row.originalTransactionKey()
                let facts = try (row["facts"] as String?).map { try JSON.decode(RenewalFacts.self, from: $0) }
                if let next = SubscriptionAwaitingUpdate(original, end: try row.date("endsAt"), facts: facts, at: date)
                {
                    found.append(next)
                }
            }
            return found
        }
    }

    /// The index is named, since SQLite would read all transactions of the app for each original transaction.
    private static func endedSubscriptions(_ dialect: SQLDialect) -> SQLStatement {
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

// MARK: Consumption requests

extension SQLLedger {
    package func setConsumptionConsent(_ consents: Bool, of account: AccountID, at date: Date) async throws {
        try await write { rows in
            guard let row = try rows.one("SELECT consentsSince FROM accounts WHERE id = ?", [account.text]) else {
                throw LedgerRefusal.unknownAccount
            }
            guard consents == (try row.dateIfAny("consentsSince") == nil) else { return }
            try rows.send(
                "UPDATE accounts SET consentsSince = ? WHERE id = ?",
                [consents ? date.milliseconds : nil, account.text])
            try rows.append(
                AuditEntry(.consumptionConsent, account: account, content: ["consents": .bool(consents)], at: date))
        }
    }

    package func dueConsumptionRequests(limit: Int, lease: Date, at date: Date) async throws -> [ConsumptionRequest] {
        try await write { rows in
            let due = try rows.all(
                "SELECT * FROM consumptionRequests WHERE retryAt <= ? ORDER BY requestedAt LIMIT ?\(rows.claim)",
                [date.milliseconds, limit]
            ).map { row in
                try ConsumptionRequest(
                    id: row["notification"],
                    transaction: Transaction.Key(
                        app: row["app"], environment: row.environment(), id: row["transactionID"]),
                    date: row.date("requestedAt"))
            }
            for request in due {
                try rows.send(
                    "UPDATE consumptionRequests SET retryAt = ? WHERE notification = ?",
                    [lease.milliseconds, request.id])
            }
            return due
        }
    }

    package func consumption(
        for request: ConsumptionRequest, in context: RecordingContext
    ) async throws -> ConsumptionReport? {
        try await read { rows in
            guard let record = try rows.transactions([request.transaction]).first else { return nil }
            let consent = try rows.one(
                "SELECT 1 FROM accounts WHERE id = ? AND consentsSince IS NOT NULL", [record.creditedTo.text])
            return try consent.map { _ in try ReceiptRecorder(rows, context).consumption(of: record, for: request) }
        }
    }

    package func finish(
        _ request: ConsumptionRequest, _ outcome: ConsumptionRequest.Outcome, at date: Date
    ) async throws {
        try await write { rows in
            let row = try rows.one(
                """
                UPDATE consumptionRequests SET outcome = ?, retryAt = NULL
                WHERE notification = ? AND outcome IS NULL RETURNING notification
                """, [outcome.rawValue, request.id])
            guard row != nil else { return }
            try rows.append(
                AuditEntry(
                    .consumptionFinished, account: try rows.transactions([request.transaction]).first?.creditedTo,
                    subject: request.id,
                    content: [
                        "outcome": .string(outcome.rawValue), "transaction": .string(request.transaction.id.text),
                    ], at: date))
        }
    }
}

extension LedgerRows {
    /// Queues the App Store's consumption request of the notification.
    func ask(about notification: AppStoreNotification) throws {
        guard notification.type == AppStoreNotification.consumptionRequest,
            let transaction = notification.facts.transactions.first
        else { return }
        try send(
            """
            INSERT INTO consumptionRequests (notification, app, environment, transactionID, requestedAt, retryAt)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                notification.id, transaction.app, transaction.environment.rawValue, transaction.id,
                notification.signedDate.milliseconds, notification.signedDate.milliseconds,
            ])
    }
}

extension ListedNotification {
    fileprivate init(_ row: SQLRow) throws {
        let environment: String? = try row["environment"]
        self.init(
            id: try row["id"], type: try row["type"], subtype: try row["subtype"], app: try row["app"],
            environment: environment.flatMap(Environment.init(known:)), signedDate: try row.date("signedAt"),
            recordedDate: try row.date("recordedAt"), deliveredDate: try row.dateIfAny("deliveredAt"),
            appliedDate: try row.dateIfAny("appliedAt"))
    }
}

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

extension SQLLedger {
    package func backfillPosition() async throws -> BackfillPosition { try await read { try $0.backfillPosition() } }

    package func backfillPage(after position: BackfillPosition) async throws -> BackfillPage {
        try await read { rows in
            var page = BackfillPage(items: [], next: position)
            var bytes = 0
            while page.items.count < BackfillPage.maximumItems, bytes < BackfillPage.maximumBytes {
                guard let row = try rows.storedBytes(after: page.next) else {
                    page.next = page.next.nextPhase
                    return page
                }
                page.next.id = row.id
                page.items.append(row.item)
                bytes += row.bytes
            }
            return page
        }
    }

    package func fill(
        _ facts: [VerifiedReceipt], from position: BackfillPosition, to next: BackfillPosition,
        in context: RecordingContext
    ) async throws -> Int? {
        try await write { rows in
            guard try rows.backfillPosition() == position else { return nil }
            let recorder = ReceiptRecorder(rows, context)
            let filled = try facts.reduce(0) { try $0 + recorder.fill($1) }
            try rows.set(Data(try JSON.encode(next).utf8), forKey: LedgerRows.backfillKey)
            return filled
        }
    }
}

extension BackfillPosition {
    fileprivate var nextPhase: Self { Self(phase == .receipts ? .notifications : .done) }
}

extension LedgerRows {
    fileprivate static let backfillKey = "backfill/purchaseFacts"

    fileprivate func backfillPosition() throws -> BackfillPosition {
        guard let value = try value(forKey: Self.backfillKey) else { return .start }
        return try JSON.decode(BackfillPosition.self, from: String(decoding: value, as: UTF8.self))
    }

    /// The first row of the position's phase after it; `nil` if there is none.
    fileprivate func storedBytes(
        after position: BackfillPosition
    ) throws -> (id: String, bytes: Int, item: BackfillPage.Item)? {
        switch position.phase {
        case .receipts:
            let found = try one(
                """
                \(ReceiptRow.selection)
                WHERE r.id > ? AND (r.content <> '' OR r.packed IS NOT NULL) AND status IN ('verified', 'conflict')
                ORDER BY r.id LIMIT 1
                """, [position.id])
            return try found.map { row in
                let stored = try ReceiptRow(row)
                return (
                    stored.receipt.id, stored.receipt.content.utf8.count, .receipt(stored.receipt, stored.recordedAt)
                )
            }
        case .notifications:
            let found = try one(
                "SELECT * FROM notifications WHERE id > ? AND content <> '' ORDER BY id LIMIT 1", [position.id])
            return try found.map { row in
                let stored = try NotificationRow(row).pending.notification
                return (stored.id, stored.content.utf8.count, .notification(stored, try row.date("recordedAt")))
            }
        case .done: return nil
        }
    }
}
