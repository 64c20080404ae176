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
            return try consent.map { _ in try ReceiptRecorder(rows, context).consumption(of: record) }
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
