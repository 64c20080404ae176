public import Foundation
public import InAppPurchase

extension SQLLedger {
    public func record(
        _ notification: StoreNotification, in context: DecisionContext
    ) async throws -> Observation? {
        try await write { rows in
            guard try rows.record(notification, retryAt: nil, at: context.date) else { return nil }
            try rows.ask(about: notification)
            return try rows.apply(notification, in: context)
        }
    }

    public func keep(_ notification: StoreNotification, retryAt retry: Date, at date: Date) async throws -> Bool {
        try await write { rows in
            guard try rows.record(notification, retryAt: retry, at: date) else { return false }
            try rows.append(
                AuditEntry(
                    .notificationRecorded, subject: notification.id, content: ["type": .string(notification.type)],
                    at: date))
            return true
        }
    }

    public func dueNotifications(limit: Int, lease: Date, at date: Date) async throws -> [KeptNotification] {
        try await write { rows in
            let due = try rows.all(
                """
                SELECT * FROM notifications WHERE retryAt IS NOT NULL AND retryAt <= ?
                ORDER BY recordedAt, signedAt LIMIT ?\(rows.claim)
                """, [date.milliseconds, limit]
            ).map(NotificationRow.init)
            for row in due { try rows.postpone(row.kept.notification.id, row.kept.attempts, until: lease) }
            return due.map(\.kept)
        }
    }

    public func settle(
        notification id: String, _ facts: VerifiedReceipt?, in context: DecisionContext
    ) async throws -> Observation? {
        try await write { rows in
            guard let row = try rows.notification(id), row.isDue else { return nil }
            var notification = row.kept.notification
            notification.facts = facts ?? VerifiedReceipt(transactions: [])
            return try rows.apply(notification, in: context)
        }
    }

    public func postpone(notification id: String, attempts: Attempts, until retry: Date) async throws {
        try await write { rows in try rows.postpone(id, attempts, until: retry) }
    }

    public func observe(
        _ facts: VerifiedReceipt, cause: String, in context: DecisionContext
    ) async throws -> Observation {
        try await write { rows in try ReceiptRecorder(rows, context).observe(facts, cause: cause) }
    }
}

extension LedgerRows {
    fileprivate func apply(_ notification: StoreNotification, in context: DecisionContext) throws -> Observation {
        try finish(notification: notification.id, at: context.date)
        return try ReceiptRecorder(self, context).apply(notification)
    }

    fileprivate func postpone(_ id: String, _ attempts: Attempts, until retry: Date) throws {
        try send(
            """
            UPDATE notifications SET attempts = ?, doubtfulAttempts = ?, badRequestAttempts = ?, retryAt = ?
            WHERE id = ? AND retryAt IS NOT NULL
            """, [attempts.count, attempts.doubtful, attempts.badRequests, retry.milliseconds, id])
    }
}
