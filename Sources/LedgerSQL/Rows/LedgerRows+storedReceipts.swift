import Foundation
import InAppPurchase
import Ledger

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
