import Foundation
import InAppPurchase

/// Which receipts are kept with their bytes.
extension LedgerRows {
    /// Keeps the bytes of a receipt that waits from now on.
    ///
    /// - Throws: ``LedgerRefusal/tooManyBytes(_:)``
    func keepBytes(
        of receipt: Receipt, in row: ReceiptRow, within budgets: ReceiptByteBudgets, at date: Date
    ) throws {
        let subjects = ReceiptSubjects(receipt)
        let size = receipt.content.utf8.count
        guard try countKept(size, as: .pending, of: subjects, within: budgets, at: date) else {
            throw LedgerRefusal.tooManyBytes(.pending)
        }
        try setContent(receipt.content, of: row.receipt.id, countedAt: date, for: subjects)
    }

    /// Records a new receipt that has its outcome already, with its bytes if they are to be kept.
    ///
    /// - Throws: ``LedgerRefusal/tooManyBytes(_:)`` for a receipt that is refused.
    func insertSettled(
        _ receipt: Receipt, _ outcome: ReceiptOutcome, in context: RecordingContext
    ) throws -> ReceiptRow {
        let size = receipt.content.utf8.count
        let keepsBytes: Bool
        if let kind = outcome.keptBytes(of: receipt.kind) {
            let fits = try countKept(
                size, as: kind, of: ReceiptSubjects(receipt), within: context.receiptBytes, at: context.date)
            // What never fits is answered as if it did: to send it again tomorrow would help nobody.
            if kind == .rejected, !fits, size <= context.receiptBytes.rejected.account {
                throw LedgerRefusal.tooManyBytes(kind)
            }
            keepsBytes = fits
        } else {
            keepsBytes = !outcome.isUnreadable
        }
        return try insert(receipt, outcome, keepsBytes: keepsBytes, at: context.date)
    }

    /// Counts the bytes of a receipt that waited for what it came to, or forgets them.
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
            if let kind = outcome.keptBytes(of: row.receipt.kind) {
                try countKept(size, as: kind, of: subjects, within: context.receiptBytes, at: context.date)
            } else {
                !outcome.isUnreadable
            }
        if !stays { try eraseContent(of: row.receipt.id) }
    }
}

extension ReceiptOutcome {
    /// Whether the bytes were no receipt: they are not kept.
    fileprivate var isUnreadable: Bool { status == .rejected && rejection == .malformed }

    /// As what the bytes of a receipt of this kind are counted; nil if they are not.
    fileprivate func keptBytes(of kind: Receipt.Kind) -> ReceiptBytesKind? {
        switch status {
        case .pending: .pending
        case .rejected: isUnreadable ? nil : .rejected
        case .verified, .conflict:
            switch kind {
            // The store signs all of it, or it is a number.
            case .signedTransaction, .transactionID: nil
            case .appReceipt, .transactionReceipt: .verified
            }
        }
    }
}
