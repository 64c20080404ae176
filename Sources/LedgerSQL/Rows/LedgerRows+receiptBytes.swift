import Foundation
import Ledger

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
