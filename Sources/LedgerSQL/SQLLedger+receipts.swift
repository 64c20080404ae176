import Basics
package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func recordUnreadable(
        _ bytes: UnreadableBytes, id: String, reason: String, from account: AccountID, at date: Date
    ) async throws {
        var content = bytes.auditContent
        content["reason"] = .string(reason)
        let entry = AuditEntry(.receiptUnreadable, account: account, subject: id, content: content, at: date)
        try await write { try $0.append(entry) }
    }

    package func enqueue(
        _ receipt: Receipt, isVerified: Bool, retryAt retry: Date, within budgets: ReceiptByteBudgets, at date: Date
    ) async throws -> PendingReceipt {
        try await write { rows in
            let known = try rows.receipt(sentAs: receipt)
            if !isVerified, known.map(\.isDue) != true { try rows.requireRoom(for: receipt) }
            let outcome = ReceiptOutcome(status: .pending)
            let row = try known ?? rows.insert(receipt, outcome, keepsBytes: false, at: date)
            if known.map(\.receipt.content.isEmpty) ?? true {
                try rows.storeBytes(
                    of: receipt, as: isVerified ? .verified : .pending, in: row, within: budgets, at: date)
            }
            var pending = row.pending
            if let known { pending.receipt = try rows.update(known, sentAgainAs: receipt) }
            pending.receipt.content = receipt.content
            if pending.attempts.areAmbiguous, let due = row.retryAt, due > date { pending.ambiguousUntil = due }
            try rows.setRetry(row.receipt.id, at: max(retry, pending.ambiguousUntil ?? retry))
            return pending
        }
    }

    package func record(
        _ receipt: Receipt, _ result: Result<VerifiedReceipt, ReceiptRejection>, in context: RecordingContext
    ) async throws -> ReceiptAnswer {
        try await write { rows in
            let copies = (try? result.get())?.transactions ?? []
            var row = try rows.row(ofSettled: receipt, ReceiptOutcome(result), of: copies, in: context)
            if case .failure = result, row.isCorrected(since: receipt) {
                return ReceiptAnswer(receipt: row.receipt.id, status: .pending)
            }
            row.pending.receipt = try rows.adopt(receipt, in: row)
            if row.isDue { try rows.setAnswered(row.receipt.id, at: context.date) }
            switch result {
            case .success(let verified): return try rows.accept(row, verified, in: context)
            case .failure(let rejection): return try rows.reject(row, rejection, in: context)
            }
        }
    }

    package func postpone(_ receipt: Receipt, attempts: Attempts, until retry: Date, at date: Date) async throws {
        try await write { rows in
            guard let row = try rows.receipt(id: receipt.id, of: receipt.account), row.isDue else { return }
            try rows.send(
                """
                UPDATE receipts SET status = 'pending', attempts = ?, doubtfulAttempts = ?, badRequestAttempts = ?,
                    trouble = ?, retryAt = ?
                WHERE id = ?
                """,
                [
                    attempts.count, attempts.ambiguous, attempts.badRequests, attempts.trouble?.rawValue,
                    retry.milliseconds, receipt.id,
                ])
            // The worker retries many times; the trail records that the App Store was unavailable, not how often.
            guard row.pending.attempts.count == 0 else { return }
            try rows.append(AuditEntry(.receiptPostponed, account: receipt.account, subject: receipt.id, at: date))
        }
    }

    package func dueReceipts(
        in queue: ReceiptQueue, limit: Int, lease: Date, at date: Date
    ) async throws -> [PendingReceipt] {
        try await write { rows in
            func postpone(_ row: ReceiptRow) throws { try rows.setRetry(row.receipt.id, at: lease) }
            let due =
                switch queue {
                case .receipts:
                    try rows.due(in: .receipts, limit: limit, at: date, read: ReceiptRow.init, lease: postpone)
                case .transactionIDs:
                    try rows.due(
                        in: .transactionIDs(rows.db.dialect), sharedBy: Data.self, limit: limit, at: date,
                        read: ReceiptRow.init, lease: postpone)
                }
            return due.map(\.pending)
        }
    }

    package func contains(_ transaction: Transaction.Key) async throws -> Bool {
        try await read { rows in try !rows.transactions([transaction]).isEmpty }
    }

    package func containsOriginal(of transaction: Transaction) async throws -> Bool {
        try await read { rows in
            let copies = try rows.recorded([transaction])
            return !copies.originals.isEmpty || !copies.awaited.isEmpty
        }
    }

    package func retryPendingNow(at date: Date) async throws {
        _ = try await write { rows in
            try rows.send(
                """
                UPDATE receipts \(rows.db.dialect.using(index: "receiptsWaiting")) SET retryAt = ?1
                WHERE status = 'pending' AND retryAt IS NOT NULL AND doubtfulAttempts = 0 AND badRequestAttempts = 0
                """, [date.milliseconds])
        }
    }

    package func pendingReceipts() async throws -> PendingReceipts {
        try await read { rows in
            let receipts = "receipts \(rows.db.dialect.using(index: "receiptsWaiting"))"
            let row = try rows.one(
                """
                SELECT (SELECT count(*) FROM \(receipts) WHERE status = 'pending') AS count,
                    (SELECT min(recordedAt) FROM \(receipts) WHERE status = 'pending' AND answeredAt IS NULL
                        AND coalesce(trouble, '') <> 'notFound') AS oldest
                """, [])
            return PendingReceipts(count: try row?["count"] ?? 0, oldest: try row?.dateIfAny("oldest"))
        }
    }

    package func receipt(
        _ id: String, of account: AccountID, in context: RecordingContext
    ) async throws -> ReceiptAnswer? {
        try await read { rows in
            guard let row = try rows.receipt(id: id, of: account) else { return nil }
            let recorder = ReceiptRecorder(rows, context)
            // The row's ID, not the requested one: even if the database considers two texts equal, the answer has one.
            let id = row.receipt.id
            let reviewed = try recorder.review(rows.contents(of: id), by: account, receipt: id)
            var answer = try recorder.answer(id, isDuplicate: false, reviewed)
            (answer.status, answer.rejection) = (row.status, row.status == .rejected ? row.rejection : nil)
            answer.trouble = row.status == .pending ? row.pending.attempts.trouble : nil
            return answer
        }
    }
}

extension LedgerRows {
    fileprivate func accept(
        _ row: ReceiptRow, _ verified: VerifiedReceipt, in context: RecordingContext
    ) throws -> ReceiptAnswer {
        let (answer, changesAnything) = try present(verified, of: row, in: context)
        return try finish(row, answer, changesAnything: changesAnything, in: context)
    }

    /// Records and delivers the verified transactions of a receipt's row, and returns the answer, and whether anything
    /// is recorded that was not before; the row stays as it is.
    func present(
        _ verified: VerifiedReceipt, of row: ReceiptRow, in context: RecordingContext
    ) throws -> (answer: ReceiptAnswer, changesAnything: Bool) {
        let recorder = ReceiptRecorder(self, context)
        let recorded = try recorder.record(verified, in: row.receipt)
        try write(verified.transactions, recorded.transactions, of: row.receipt.id)
        if let version = verified.appVersion { try setVersion(version, of: row.receipt.id, in: context) }
        return (try recorder.answer(row.receipt.id, isDuplicate: row.wasAnswered, recorded), recorded.changesAnything)
    }

    fileprivate func presentAgain(_ row: ReceiptRow, in context: RecordingContext) throws -> ReceiptAnswer {
        let recorder = ReceiptRecorder(self, context)
        let recorded = try recorder.presentAgain(
            contents(of: row.receipt.id).map(\.key), by: row.receipt.account, receipt: row.receipt.id)
        let answer = try recorder.answer(row.receipt.id, isDuplicate: true, recorded)
        return try finish(row, answer, changesAnything: recorded.changesAnything, in: context)
    }

    /// A receipt that was once accepted stays accepted, whatever the App Store answers later.
    fileprivate func reject(
        _ row: ReceiptRow, _ rejection: ReceiptRejection, in context: RecordingContext
    ) throws -> ReceiptAnswer {
        if row.wasAccepted, rejection.reason != .otherDevice { return try presentAgain(row, in: context) }
        let answer = ReceiptAnswer(
            receipt: row.receipt.id, status: .rejected, rejection: rejection.reason, isDuplicate: row.wasAnswered)
        // The device is this request's; the receipt itself is still accepted.
        guard !row.wasAccepted else { return try audited(answer, row, at: context.date) }
        return try finish(row, answer, changesAnything: false, in: context)
    }

    /// Writes the outcome. A receipt that is presented again and changes nothing leaves no row in the audit trail.
    private func finish(
        _ row: ReceiptRow, _ answer: ReceiptAnswer, changesAnything: Bool, in context: RecordingContext
    ) throws -> ReceiptAnswer {
        let (date, outcome) = (context.date, ReceiptOutcome(status: answer.status, rejection: answer.rejection))
        if row.isDue || row.outcome != outcome { try setOutcome(row.receipt.id, outcome, at: date) }
        try updateBytes(of: row, outcome, in: context)
        guard changesAnything || !row.wasAnswered || row.outcome != outcome else { return answer }
        return try audited(answer, row, at: date)
    }

    private func audited(_ answer: ReceiptAnswer, _ row: ReceiptRow, at date: Date) throws -> ReceiptAnswer {
        try append(
            AuditEntry(
                answer.isDuplicate ? .receiptPresentedAgain : .receiptSettled, account: row.receipt.account,
                subject: row.receipt.id, content: answer.auditContent, at: date))
        return answer
    }
}

extension ReceiptOutcome {
    /// The outcome before the owners of the purchases are known.
    fileprivate init(_ result: Result<VerifiedReceipt, ReceiptRejection>) {
        switch result {
        case .success: self.init(status: .verified)
        case .failure(let rejection): self.init(status: .rejected, rejection: rejection.reason)
        }
    }
}

extension UnreadableBytes {
    fileprivate var auditContent: [String: JSONValue] {
        switch self {
        case .whole(let digest, let length): ["sha256": .string(digest.hex), "length": .integer(length)]
        case .unread(let length?): ["announcedLength": .integer(length)]
        case .unread(nil): [:]
        }
    }
}

extension ReceiptAnswer {
    var auditContent: [String: JSONValue] {
        var content: [String: JSONValue] = [
            "status": .string(status.rawValue),
            "transactions": .array(
                transactions.map {
                    .object([
                        "id": .string($0.transaction.id.text), "app": .string($0.transaction.app.text),
                        "environment": .string($0.transaction.environment.rawValue),
                        "product": .string($0.transaction.productID.text), "outcome": .string($0.outcome.auditText),
                    ])
                }),
        ]
        content["reason"] = rejection.map { .string($0.rawValue) }
        return content
    }
}

extension Outcome {
    fileprivate var auditText: String {
        switch self {
        case .delivered: "delivered"
        case .alreadyDelivered: "alreadyDelivered"
        case .denied(let reason): "denied: \(reason.rawValue)"
        }
    }
}

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

extension SQLLedger {
    /// The maximum number of transactions in a call.
    private static let begunAtOnce = 200

    package func creditBegunPeriods(in context: RecordingContext) async throws -> Int {
        let begun = try await read { try $0.begunPeriods(at: context.date, limit: Self.begunAtOnce) }
        var (count, failure): (Int, (any Error)?) = (0, nil)
        for record in begun {
            guard let purchase = record.purchaseKey else { continue }
            do {
                try await write { try ReceiptRecorder($0, context).creditBegun(purchase) }
                count += 1
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // One that cannot be read must not hold up the others.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }
}

extension LedgerRows {
    fileprivate func begunPeriods(at date: Date, limit: Int) throws -> [RecordedTransaction] {
        let keys = try all(Self.begunPeriods, [date.milliseconds, limit]).map { try $0.transactionKey() }
        return keys.isEmpty ? [] : try transactions(Set(keys))
    }

    private static let begunPeriods = SQLStatement { dialect in
        """
        SELECT app, environment, id FROM transactions \(dialect.using(index: "transactionsCreditsFrom"))
        WHERE creditsFrom IS NOT NULL AND creditsFrom <= ? AND forgottenAt IS NULL
        ORDER BY creditsFrom LIMIT ?
        """
    }
}
