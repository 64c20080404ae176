import Basics
import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// The row of a receipt that the account has sent before; first that of an earlier version, which knew it by its
    /// text.
    func receipt(sentAs receipt: Receipt) throws -> ReceiptRow? {
        try one(
            Self.receiptSentAs,
            [receipt.account.text, receipt.digest, receipt.textDigest ?? receipt.digest]
        ).map(ReceiptRow.init)
    }

    func receipt(id: String, of account: AccountID) throws -> ReceiptRow? {
        try one("\(ReceiptRow.selection) WHERE account = ? AND r.id = ?", [account.text, id]).map(ReceiptRow.init)
    }

    private static let receiptSentAs = SQLStatement(
        constant: """
            \(ReceiptRow.selection) WHERE account = ?1 AND r.digest IN (?2, ?3) ORDER BY r.digest = ?3 DESC LIMIT 1
            """)

    /// Records a new receipt.
    ///
    /// - Parameters:
    ///   - outcome: the expected outcome, so that the row is written once.
    ///   - keepsBytes: whether its bytes are stored. Otherwise only their hash and length are, in the audit trail.
    func insert(_ receipt: Receipt, _ outcome: ReceiptOutcome, keepsBytes: Bool, at date: Date) throws -> ReceiptRow {
        try send(Self.insertReceipt, try arguments(of: receipt, outcome, keepsBytes: keepsBytes, at: date))
        return try recorded(receipt, outcome, at: date)
    }

    /// Records a receipt whose bytes are not counted, unless the account has sent it before. Asks at the same time for
    /// what recording its transactions begins with.
    ///
    /// - Returns: `nil` if it has: nothing is written then.
    func insertIfNew(
        _ receipt: Receipt, _ outcome: ReceiptOutcome, of copies: [Transaction], at date: Date
    ) throws -> ReceiptRow? {
        let insertion = (Self.insertNewReceipt, try arguments(of: receipt, outcome, keepsBytes: true, at: date))
        guard try insert(by: insertion, of: copies, from: receipt.account).isEmpty == false else { return nil }
        return try recorded(receipt, outcome, at: date)
    }

    /// Without the row of its header a receipt is stored as it came.
    private static let insertReceipt = SQLStatement { dialect in
        """
        INSERT INTO receipts
            (id, account, digest, kind, bundleID, status, rejection, recordedAt, answeredAt, mayTransfer,
            isForDevice, app, content, packed, header)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
            CASE WHEN EXISTS (SELECT 1 FROM receiptHeaders WHERE digest = ?15) THEN '' ELSE ?13 END,
            CASE WHEN EXISTS (SELECT 1 FROM receiptHeaders WHERE digest = ?15) THEN \(dialect.blob("?14")) END,
            (SELECT id FROM receiptHeaders WHERE digest = ?15))
        """
    }

    private static let insertNewReceipt = SQLStatement {
        insertReceipt.text(in: $0) + " ON CONFLICT (account, digest) DO NOTHING RETURNING id"
    }

    private func arguments(
        of receipt: Receipt, _ outcome: ReceiptOutcome, keepsBytes: Bool, at date: Date
    ) throws -> SQLArguments {
        let content = keepsBytes ? receipt.content : ""
        let packed = outcome.isVerified ? try pack(content, of: receipt.kind) : nil
        return [
            receipt.id, receipt.account.text, receipt.digest, receipt.kind.rawValue, receipt.bundleID,
            outcome.status.rawValue, outcome.rejection?.rawValue, date.milliseconds,
            outcome.status == .pending ? nil : date.milliseconds, receipt.mayTransfer ? 1 : 0,
            receipt.isForDevice ? 1 : 0, receipt.app ?? "", content, packed?.bytes, packed?.headerDigest ?? Data(),
        ]
    }

    private func recorded(_ receipt: Receipt, _ outcome: ReceiptOutcome, at date: Date) throws -> ReceiptRow {
        try append(
            AuditEntry(
                .receiptRecorded, account: receipt.account, subject: receipt.id,
                content: [
                    "kind": .string(receipt.kind.rawValue),
                    "sha256": .string((receipt.textDigest ?? receipt.digest).hex),
                    "length": .integer(receipt.content.utf8.count),
                ], at: date))
        return ReceiptRow(receipt, outcome, at: date)
    }

    /// - Throws: ``/Ledger/LedgerRefusal/tooManyPending``, ``/Ledger/LedgerRefusal/tooManyTransactionIDs``
    func requireRoom(for receipt: Receipt) throws {
        guard receipt.kind == .transactionID else {
            let kind = "<> '\(Receipt.Kind.transactionID.rawValue)'"
            guard try pendingReceipts(of: receipt.account, kind) < PendingReceipt.maximumPending else {
                throw LedgerRefusal.tooManyPending
            }
            return
        }
        let address = ReceiptSubjects(receipt).address
        let isFull =
            try pendingReceipts(of: receipt.account, "= '\(Receipt.Kind.transactionID.rawValue)'")
            >= PendingReceipt.maximumTransactionIDs
            || address.map { try has(PendingReceipt.maximumTransactionIDsPerAddress, transactionIDsOf: $0) } ?? false
            || has(PendingReceipt.maximumTransactionIDsInAll, transactionIDsOf: nil)
        guard !isFull else { throw LedgerRefusal.tooManyTransactionIDs }
    }

    private func pendingReceipts(of account: AccountID, _ kind: String) throws -> Int {
        try one(
            "SELECT count(*) AS n FROM receipts WHERE account = ? AND status = 'pending' AND kind \(kind)",
            [account.text])?["n"] ?? 0
    }

    /// Whether so many transaction IDs wait; of one address, or of all.
    private func has(_ number: Int, transactionIDsOf address: Data?) throws -> Bool {
        let queue = RetryQueue.transactionIDs(db.dialect)
        let part = address == nil ? "" : " AND \(queue.group) = ?"
        let index = db.dialect.using(index: "transactionIDsDue")
        let found = "SELECT 1 FROM \(queue.table) q \(index) WHERE \(queue.condition)\(part) LIMIT \(number)"
        let waiting: Int? = try one("SELECT count(*) AS n FROM (\(found)) found", address.map { [$0] } ?? [])?["n"]
        return waiting ?? 0 >= number
    }

    /// Stores the bytes of a receipt that becomes pending, with the subjects they are counted for, and the date if they
    /// are counted as pending.
    func setContent(_ content: String, of id: String, countedAt date: Date?, for subjects: ReceiptSubjects) throws {
        try send(
            "UPDATE receipts SET content = ?, countedAt = ?, addressDigest = ? WHERE id = ?",
            [content, date?.milliseconds, subjects.address, id])
    }

    /// Erases the bytes of a receipt. The audit trail has their hash and length.
    func eraseContent(of id: String) throws {
        try send("UPDATE receipts SET content = '', packed = NULL, header = NULL WHERE id = ?", [id])
    }

    /// Clears the date and the subjects that the bytes of a receipt were counted for.
    func setNotCounted(_ id: String) throws {
        try send("UPDATE receipts SET countedAt = NULL, addressDigest = NULL WHERE id = ?", [id])
    }

    func setRetry(_ id: String, at retry: Date) throws {
        try send("UPDATE receipts SET retryAt = ? WHERE id = ?", [retry.milliseconds, id])
    }

    /// Records that the App Store answered: from now on the receipt gives nothing provisionally.
    func setAnswered(_ id: String, at date: Date) throws {
        try send("UPDATE receipts SET answeredAt = coalesce(answeredAt, ?) WHERE id = ?", [date.milliseconds, id])
    }

    /// Stores the version of the app that the receipt names, and whether it is below the minimum now.
    func setVersion(_ version: AppVersion, of id: String, in context: RecordingContext) throws {
        try send(
            "UPDATE receipts SET appVersion = ?, versionExternalID = ?, isBelowMinimum = ? WHERE id = ?",
            [version.text, version.externalID, context.catalog.isBelowMinimum(version) ? 1 : 0, id])
    }

    /// Writes the outcome and removes the receipt from the retry queue. Its counts of answers without a result begin
    /// anew, unless they led to the outcome.
    func setOutcome(_ id: String, _ outcome: ReceiptOutcome, at date: Date) throws {
        let counts = outcome.mayBeAmbiguous ? "" : "doubtfulAttempts = 0, badRequestAttempts = 0, "
        try send(
            """
            UPDATE receipts SET \(counts)status = ?, rejection = ?, trouble = NULL, retryAt = NULL,
                answeredAt = coalesce(answeredAt, ?)
            WHERE id = ?
            """, [outcome.status.rawValue, outcome.rejection?.rawValue, date.milliseconds, id])
    }

    /// Updates the row when the very same bytes are sent again, and returns the receipt as it is stored now; see
    /// ``ReceiptRow/receipt(sentAgainAs:)``.
    func update(_ row: ReceiptRow, sentAgainAs receipt: Receipt) throws -> Receipt {
        let kept = row.receipt(sentAgainAs: receipt)
        try send(
            "UPDATE receipts SET mayTransfer = ?, isForDevice = ?, bundleID = ?, app = ? WHERE id = ?",
            [kept.mayTransfer ? 1 : 0, kept.isForDevice ? 1 : 0, kept.bundleID, kept.app ?? "", kept.id])
        return kept
    }

    /// Returns the row's receipt as the result of its verification is to be recorded: with what the request, or an
    /// earlier one while the receipt waited, allowed and proved.
    ///
    /// - Parameter asked: the row's own receipt as it was when the App Store was asked, or a request's, with an ID of
    ///   its own; then the app that the request names is stored.
    func adopt(_ asked: Receipt, in row: ReceiptRow) throws -> Receipt {
        var receipt = row.receipt(sentAgainAs: asked)
        if asked.id == row.receipt.id { receipt.bundleID = row.receipt.bundleID }
        guard receipt.bundleID != row.receipt.bundleID else { return receipt }
        try send("UPDATE receipts SET bundleID = ? WHERE id = ?", [receipt.bundleID, receipt.id])
        return receipt
    }

    /// The transactions of a receipt, in its order, with the remedies that the app was told.
    func contents(of receipt: String) throws -> [(key: Transaction.Key, remedy: TransferRemedy?)] {
        try all("SELECT * FROM receiptTransactions WHERE receipt = ? ORDER BY position", [receipt]).map { row in
            (try row.transactionKey(), (try row["remedy"] as String?).flatMap(TransferRemedy.init))
        }
    }

    func write(_ transactions: [Transaction], _ answers: [TransactionAnswer], of receipt: String) throws {
        let remedies = Dictionary(answers.map { ($0.transaction.key, $0.remedy) }) { first, _ in first }
        for (position, transaction) in transactions.enumerated() {
            try send(
                Self.writeContent,
                values: [
                    .text(receipt), .integer(position), .text(transaction.app.text),
                    .text(transaction.environment.rawValue), .text(transaction.id.text),
                    .integer(transaction.signedDate.milliseconds),
                    .maybe((remedies[transaction.key] ?? nil)?.rawValue),
                ])
        }
    }

    private static let writeContent = SQLStatement(
        constant: """
            INSERT INTO receiptTransactions (receipt, position, app, environment, id, signedAt, remedy)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (receipt, app, environment, id)
            DO UPDATE SET signedAt = excluded.signedAt, remedy = excluded.remedy
            WHERE excluded.signedAt > receiptTransactions.signedAt
                OR coalesce(excluded.remedy, '') <> coalesce(receiptTransactions.remedy, '')
            """)
}

extension ReceiptOutcome {
    /// Whether it may come of several answers without a result: 21002, 21000 and 21001, or a transaction ID that the
    /// store did not know for a day.
    fileprivate var mayBeAmbiguous: Bool {
        status == .rejected && (rejection == .malformed || rejection == .unsupported || rejection == .notFound)
    }
}

/// Decides which receipts are stored with their bytes.
extension LedgerRows {
    /// Stores the bytes of a receipt that becomes pending.
    ///
    /// - Parameter kind: the budget that they are counted in: bytes in that of pending ones move to another one later.
    /// - Throws: ``/Ledger/LedgerRefusal/tooManyBytes(_:)``
    func storeBytes(
        of receipt: Receipt, as kind: ReceiptBytesKind, in row: ReceiptRow, within budgets: ReceiptByteBudgets,
        at date: Date
    ) throws {
        let subjects = ReceiptSubjects(receipt)
        let size = receipt.content.utf8.count
        guard try countStored(size, as: kind, of: subjects, within: budgets, at: date) else {
            throw LedgerRefusal.tooManyBytes(.pending)
        }
        try setContent(receipt.content, of: row.receipt.id, countedAt: kind == .pending ? date : nil, for: subjects)
    }

    /// Returns the row of a receipt that has its outcome already; a new one, unless the account has sent it before.
    ///
    /// - Parameter copies: the transactions that it proves.
    /// - Throws: ``/Ledger/LedgerRefusal/tooManyBytes(_:)`` for a new receipt that is refused.
    func row(
        ofSettled receipt: Receipt, _ outcome: ReceiptOutcome, of copies: [Transaction], in context: RecordingContext
    ) throws -> ReceiptRow {
        // The usual receipt is new, and the index by which it would be looked up refuses a second one.
        let isFree = !outcome.isUnreadable && outcome.storedBytes(of: receipt.kind) == nil
        if isFree, receipt.textDigest == nil, let row = try insertIfNew(receipt, outcome, of: copies, at: context.date)
        {
            return row
        }
        return try self.receipt(sentAs: receipt) ?? insertSettled(receipt, outcome, in: context)
    }

    /// Records a new receipt that has its outcome already, with its bytes if they are to be stored.
    ///
    /// - Throws: ``/Ledger/LedgerRefusal/tooManyBytes(_:)`` for a receipt that is refused.
    private func insertSettled(
        _ receipt: Receipt, _ outcome: ReceiptOutcome, in context: RecordingContext
    ) throws -> ReceiptRow {
        let size = receipt.content.utf8.count
        let keepsBytes: Bool
        if let kind = outcome.storedBytes(of: receipt.kind) {
            let fits = try countStored(
                size, as: kind, of: ReceiptSubjects(receipt), within: context.receiptBytes, at: context.date)
            // A receipt larger than the whole budget is answered as if it fitted: sending it again tomorrow would not
            // help.
            if kind == .rejected, !fits, size <= context.receiptBytes.rejected.account {
                throw LedgerRefusal.tooManyBytes(kind)
            }
            keepsBytes = fits
        } else {
            keepsBytes = !outcome.isUnreadable
        }
        return try insert(receipt, outcome, keepsBytes: keepsBytes, at: context.date)
    }

    /// Counts the bytes of a formerly pending receipt in the budget of its outcome, or erases them.
    func updateBytes(of row: ReceiptRow, _ outcome: ReceiptOutcome, in context: RecordingContext) throws {
        let size = row.receipt.content.utf8.count
        guard let countedAt = row.countedAt else {
            if outcome.isUnreadable, size > 0 { try eraseContent(of: row.receipt.id) }
            return
        }
        let subjects = ReceiptSubjects(account: row.receipt.account, address: row.addressDigest)
        try countNoLonger(size, as: .pending, of: subjects, since: countedAt)
        try setNotCounted(row.receipt.id)
        let stays =
            if let kind = outcome.storedBytes(of: row.receipt.kind) {
                try countStored(size, as: kind, of: subjects, within: context.receiptBytes, at: context.date)
            } else {
                !outcome.isUnreadable
            }
        if !stays { try eraseContent(of: row.receipt.id) }
    }
}

extension ReceiptOutcome {
    /// Whether the bytes are not a receipt; such bytes are not stored.
    fileprivate var isUnreadable: Bool { status == .rejected && rejection == .malformed }

    /// The budget in which the bytes of a receipt of this kind are counted; `nil` if they are not.
    fileprivate func storedBytes(of kind: Receipt.Kind) -> ReceiptBytesKind? {
        switch status {
        case .pending: .pending
        case .rejected: isUnreadable ? nil : .rejected
        case .verified, .conflict:
            switch kind {
            // The App Store signs all of a signed transaction, and a transaction ID is only a number.
            case .signedTransaction, .transactionID: nil
            case .appReceipt, .transactionReceipt: .verified
            }
        }
    }
}

/// Daily budgets of stored receipt bytes: a row for each account and address, kind and day.
extension LedgerRows {
    /// The maximum number of outdated rows that are deleted with each new row, so that the table does not grow for
    /// long.
    private static let maximumDeletions = 16

    /// Counts the bytes of a receipt as stored, for its account and its address, if both budgets have room.
    ///
    /// - Returns: whether they have. Otherwise nothing is counted.
    func countStored(
        _ bytes: Int, as kind: ReceiptBytesKind, of subjects: ReceiptSubjects, within budgets: ReceiptByteBudgets,
        at date: Date
    ) throws -> Bool {
        let day = ReceiptByteBudgets.day(of: date)
        var isFirst = false
        for (subject, limit) in subjects.limited(by: budgets[kind]) {
            let used = try storedBytes(kind, of: subject, on: day)
            guard ReceiptByteBudgets.admits(bytes, as: kind, used: used ?? 0, limit: limit) else { return false }
            isFirst = isFirst || used == nil
        }
        for subject in subjects.all { try addStored(bytes, as: kind, of: subject, on: day) }
        if isFirst { try deleteStoredBytes(before: day) }
        return true
    }

    /// Subtracts the bytes of a receipt that is not pending any more.
    ///
    /// - Parameter date: when they were counted.
    func countNoLonger(_ bytes: Int, as kind: ReceiptBytesKind, of subjects: ReceiptSubjects, since date: Date) throws {
        let day = ReceiptByteBudgets.day(of: date)
        for subject in subjects.all {
            try send(
                "UPDATE receiptBytes SET bytes = bytes - ? WHERE subject = ? AND kind = ? AND day = ?",
                [bytes, subject, kind.rawValue, day])
        }
    }

    private func storedBytes(_ kind: ReceiptBytesKind, of subject: Data, on day: Int) throws -> Int? {
        try one(
            "SELECT bytes FROM receiptBytes WHERE subject = ? AND kind = ? AND day = ?", [subject, kind.rawValue, day]
        )?["bytes"]
    }

    private func addStored(_ bytes: Int, as kind: ReceiptBytesKind, of subject: Data, on day: Int) throws {
        try send(
            """
            INSERT INTO receiptBytes (subject, kind, day, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (subject, kind, day) DO UPDATE SET bytes = receiptBytes.bytes + excluded.bytes
            """, [subject, kind.rawValue, day, bytes])
    }

    /// Keeps the previous day: a server whose clock is behind counts by it.
    private func deleteStoredBytes(before day: Int) throws {
        let old = try all(
            "SELECT subject, kind, day FROM receiptBytes WHERE day < ? ORDER BY day LIMIT \(Self.maximumDeletions)",
            [day - 1])
        for row in old {
            try send(
                "DELETE FROM receiptBytes WHERE subject = ? AND kind = ? AND day = ?",
                [row["subject"] as Data, row["kind"] as String, row["day"] as Int])
        }
    }
}
