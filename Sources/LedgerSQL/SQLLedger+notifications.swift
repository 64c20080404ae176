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
                try rows.postpone(row.kept.notification.id, row.kept.attempts, until: lease)
            }
            return due.map(\.kept)
        }
    }

    package func complete(
        notification id: String, _ facts: VerifiedReceipt?, in context: RecordingContext
    ) async throws -> Observation? {
        try await write { rows in
            guard let row = try rows.notification(id), row.isDue else { return nil }
            var notification = row.kept.notification
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
