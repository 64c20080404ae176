package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func question(
        on receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> AppReceiptQuestion {
        try await read { rows in
            try ReceiptRecorder(rows, context).question(on: verified, by: receipt.account, isDue: rows.isDue(receipt))
        }
    }

    package func recordAnswer(
        _ facts: VerifiedReceipt, to receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws {
        try await write { rows in
            _ = try ReceiptRecorder(rows, context).observe(facts, cause: receipt.id)
            try rows.setAsked(Set(verified.transactions.map(\.originalTransactionKey)), at: context.date)
        }
    }

    package func deliverMeanwhile(
        _ receipt: Receipt, _ verified: VerifiedReceipt, attempts: Attempts, until retry: Date,
        in context: RecordingContext
    ) async throws -> ReceiptAnswer {
        try await write { rows in
            guard let row = try rows.receipt(sentAs: receipt) else {
                throw LedgerUnavailable("a receipt that is asked about is not stored")
            }
            let question = try ReceiptRecorder(rows, context).question(on: verified, by: receipt.account, isDue: true)
            var delivered = verified
            delivered.transactions.removeAll { question.waiting.contains($0.originalTransactionKey) }
            let isNew =
                row.pending.attempts.count == 0
                || delivered.transactions.contains { question.undelivered.contains($0.key) }
            var (answer, _) = try rows.present(delivered, of: row, in: context)
            // Another request got the answer meanwhile: there is nothing to ask about any more.
            guard row.isDue else { return answer }
            if !question.waiting.isEmpty { answer.status = .pending }
            try rows.setMeanwhile(answer, of: row, attempts, until: retry, at: context.date)
            // The worker retries many times; the trail records that the App Store was unavailable, not how often.
            if isNew { try rows.append(answer.meanwhileEntry(of: row, at: context.date)) }
            return answer
        }
    }
}

extension LedgerRows {
    /// Whether the very same receipt of the account waits for an answer of the App Store.
    fileprivate func isDue(_ receipt: Receipt) throws -> Bool {
        try one(
            "SELECT 1 FROM receipts WHERE account = ? AND digest IN (?, ?) AND retryAt IS NOT NULL",
            [receipt.account.text, receipt.digest, receipt.textDigest ?? receipt.digest]) != nil
    }

    /// Schedules another question about the receipt; a receipt without pending transactions counts as answered from now
    /// on.
    fileprivate func setMeanwhile(
        _ answer: ReceiptAnswer, of row: ReceiptRow, _ attempts: Attempts, until retry: Date, at date: Date
    ) throws {
        let answeredAt = answer.status == .pending ? nil : date.milliseconds
        try send(
            """
            UPDATE receipts SET status = ?, rejection = NULL, attempts = ?, doubtfulAttempts = ?,
                badRequestAttempts = ?, trouble = ?, retryAt = ?, answeredAt = coalesce(answeredAt, CAST(? AS BIGINT))
            WHERE id = ?
            """,
            [
                answer.status.rawValue, attempts.count, attempts.ambiguous, attempts.badRequests,
                attempts.trouble?.rawValue, retry.milliseconds, answeredAt, row.receipt.id,
            ])
    }

    func lastExpirations(of originals: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        Date]
    {
        try all(of: originals, Self.lastExpirations)
            .reduce(into: [:]) { ends, row in ends[try row.originalTransactionKey()] = try row.date("endsAt") }
    }

    private static let lastExpirations = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT app, environment, originalID, max(expiresAt) AS endsAt
        FROM keys \(dialect.orderedJoin) transactions \(dialect.using(index: "transactionsLine"))
            USING (app, environment, originalID)
        WHERE expiresAt IS NOT NULL AND forgottenAt IS NULL GROUP BY app, environment, originalID
        """
    }

    func originalTransactions(among keys: Set<OriginalTransaction.Key>, askedSince date: Date) throws -> Set<
        OriginalTransaction.Key
    > { Set(try all(of: keys, Self.askedSince, [date.milliseconds]).map { try $0.originalTransactionKey() }) }

    private static let askedSince = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT app, environment, originalID
        FROM keys \(dialect.orderedJoin) originalTransactionChecks USING (app, environment, originalID)
        WHERE answeredAt >= ?
        """
    }

    /// Records that the App Store answered a question on the original transactions.
    func setAsked(_ originals: Set<OriginalTransaction.Key>, at date: Date) throws {
        for original in originals {
            try send(
                """
                INSERT INTO originalTransactionChecks (app, environment, originalID, answeredAt) VALUES (?, ?, ?, ?)
                ON CONFLICT (app, environment, originalID) DO UPDATE SET answeredAt = excluded.answeredAt
                """, original.arguments + [date.milliseconds])
        }
    }
}

extension ReceiptAnswer {
    fileprivate func meanwhileEntry(of row: ReceiptRow, at date: Date) -> AuditEntry {
        AuditEntry(
            .receiptPostponed, account: row.receipt.account, subject: row.receipt.id, content: auditContent, at: date)
    }
}
