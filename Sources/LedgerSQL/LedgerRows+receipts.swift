import Foundation
import InAppPurchase

/// A receipt's row.
struct ReceiptRow {
    var kept: KeptReceipt
    var outcome: ReceiptOutcome
    /// It was answered before with something else than "pending".
    var wasAnswered: Bool
    /// When the store is asked again; nil where it is not.
    var retryAt: Date?
    var recordedAt: Date
    /// When the bytes were counted as those of a receipt that waits; nil if they are not.
    var countedAt: Date?
    /// For whom they were counted besides the account.
    var addressDigest: Data?

    var receipt: Receipt { kept.receipt }
    var status: ReceiptAnswer.Status { outcome.status }
    var rejection: ReceiptRejection.Reason? { outcome.rejection }
    var isDue: Bool { retryAt != nil }

    init(_ row: SQLRow) throws {
        let kind = Receipt.Kind(rawValue: try row["kind"])
        let status = ReceiptAnswer.Status(rawValue: try row["status"])
        guard let kind, let status else { throw LedgerUnavailable("unknown kind or status of a receipt") }
        let receipt = try Receipt(
            id: row["id"], account: row.account("account"), kind: kind, content: row["content"],
            digest: row["digest"], bundleID: row["bundleID"])
        kept = try KeptReceipt(
            receipt: receipt,
            attempts: Attempts(
                count: row["attempts"], doubtful: row["doubtfulAttempts"], badRequests: row["badRequestAttempts"]))
        outcome = try ReceiptOutcome(
            status: status, rejection: (row["rejection"] as String?).flatMap(ReceiptRejection.Reason.init))
        wasAnswered = try row.dateIfAny("answeredAt") != nil
        retryAt = try row.dateIfAny("retryAt")
        recordedAt = try row.date("recordedAt")
        countedAt = try row.dateIfAny("countedAt")
        addressDigest = try row["addressDigest"]
    }

    /// One that nobody has seen before.
    fileprivate init(_ receipt: Receipt, _ outcome: ReceiptOutcome, at date: Date) {
        kept = KeptReceipt(receipt: receipt, attempts: Attempts())
        (self.outcome, wasAnswered, recordedAt) = (outcome, false, date)
    }
}

/// What came of a receipt.
struct ReceiptOutcome: Equatable {
    var status: ReceiptAnswer.Status
    var rejection: ReceiptRejection.Reason?
}

extension LedgerRows {
    func receipt(digest: Data, of account: AccountID) throws -> ReceiptRow? {
        try one("SELECT * FROM receipts WHERE account = ? AND digest = ?", [account.text, digest]).map(ReceiptRow.init)
    }

    func receipt(id: String, of account: AccountID) throws -> ReceiptRow? {
        try one("SELECT * FROM receipts WHERE account = ? AND id = ?", [account.text, id]).map(ReceiptRow.init)
    }

    /// Records a receipt that is new.
    ///
    /// - Parameters:
    ///   - outcome: what it most likely comes to, so that its row is written once.
    ///   - keepsBytes: whether its bytes are kept. Otherwise only their hash and length are, in the audit trail.
    func insert(
        _ receipt: Receipt, _ outcome: ReceiptOutcome, keepsBytes: Bool, at date: Date
    ) throws -> ReceiptRow {
        let answeredAt = outcome.status == .pending ? nil : date.milliseconds
        try send(
            """
            INSERT INTO receipts
                (id, account, digest, kind, bundleID, content, status, rejection, recordedAt, answeredAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                receipt.id, receipt.account.text, receipt.digest, receipt.kind.rawValue, receipt.bundleID,
                keepsBytes ? receipt.content : "", outcome.status.rawValue, outcome.rejection?.rawValue,
                date.milliseconds, answeredAt,
            ])
        try append(
            AuditEntry(
                .receiptRecorded, account: receipt.account, subject: receipt.id,
                content: [
                    "kind": .string(receipt.kind.rawValue), "sha256": .string(receipt.digest.hex),
                    "length": .integer(receipt.content.utf8.count),
                ], at: date))
        return ReceiptRow(receipt, outcome, at: date)
    }

    func pendingReceipts(of account: AccountID) throws -> Int {
        try one("SELECT count(*) AS n FROM receipts WHERE account = ? AND status = 'pending'", [account.text])?["n"]
            ?? 0
    }

    /// Keeps the bytes of a receipt that waits from now on, and tells since when and for whom they are counted.
    func setContent(_ content: String, of id: String, countedAt date: Date, for subjects: ReceiptSubjects) throws {
        try send(
            "UPDATE receipts SET content = ?, countedAt = ?, addressDigest = ? WHERE id = ?",
            [content, date.milliseconds, subjects.address, id])
    }

    /// Forgets the bytes of a receipt. The audit trail has their hash and length.
    func eraseContent(of id: String) throws { try send("UPDATE receipts SET content = '' WHERE id = ?", [id]) }

    /// Forgets for whom the bytes of a receipt were counted.
    func setNotCounted(_ id: String) throws {
        try send("UPDATE receipts SET countedAt = NULL, addressDigest = NULL WHERE id = ?", [id])
    }

    func setRetry(_ id: String, at retry: Date) throws {
        try send("UPDATE receipts SET retryAt = ? WHERE id = ?", [retry.milliseconds, id])
    }

    /// The store has spoken: from now on the receipt gives nothing provisionally.
    func setAnswered(_ id: String, at date: Date) throws {
        try send("UPDATE receipts SET answeredAt = coalesce(answeredAt, ?) WHERE id = ?", [date.milliseconds, id])
    }

    /// Writes the outcome and takes the receipt off the retry worker's list.
    func setOutcome(_ id: String, _ outcome: ReceiptOutcome, at date: Date) throws {
        try send(
            """
            UPDATE receipts SET status = ?, rejection = ?, retryAt = NULL, answeredAt = coalesce(answeredAt, ?)
            WHERE id = ?
            """, [outcome.status.rawValue, outcome.rejection?.rawValue, date.milliseconds, id])
    }

    /// The transactions a receipt holds, in its order, and when its copies of them were signed.
    func contents(of receipt: String) throws -> [(key: Transaction.Key, signedDate: Date)] {
        try all("SELECT * FROM receiptTransactions WHERE receipt = ? ORDER BY position", [receipt]).map { row in
            (try row.transactionKey(), try row.date("signedAt"))
        }
    }

    func write(_ transactions: [Transaction], of receipt: String) throws {
        for (position, transaction) in transactions.enumerated() {
            try send(
                """
                INSERT INTO receiptTransactions (receipt, position, app, environment, id, signedAt)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (receipt, app, environment, id) DO UPDATE SET signedAt = excluded.signedAt
                WHERE excluded.signedAt > receiptTransactions.signedAt
                """,
                [
                    receipt, position, transaction.app, transaction.environment.rawValue, transaction.id,
                    transaction.signedDate.milliseconds,
                ])
        }
    }
}
