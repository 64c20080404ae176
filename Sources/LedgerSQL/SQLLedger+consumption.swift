package import Foundation
package import InAppPurchase
package import Ledger

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

    package func dueConsumptionRequests(
        limit: Int, lease: Date, at date: Date
    ) async throws -> [ConsumptionRequest] {
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
                    ],
                    at: date))
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
