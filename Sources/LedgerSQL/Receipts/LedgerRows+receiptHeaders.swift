import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// The maximum number of headers that are known to be stored: more than there are certificates that sign for the App
    /// Store at a time.
    static let maximumKnownHeaders = 64

    /// Packs the bytes of a verified receipt and has a row for its header written; `nil` if they are stored as they are.
    func pack(_ content: String, of kind: Receipt.Kind) throws -> (bytes: Data, headerDigest: Data)? {
        guard kind == .signedTransaction, let packed = PackedTransaction(content) else { return nil }
        let digest = headers.digest(of: packed.header)
        if !headers.contains(digest), pending.storedHeaders.insert(digest).inserted {
            try write(header: packed.header, digest)
        }
        return (packed.bytes, digest)
    }

    private func write(header: String, _ digest: Data) throws {
        try send(
            "INSERT INTO receiptHeaders (digest, content) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
            [digest, header])
    }

    /// Packs the next verified receipts that are stored as they were sent, and reads each back from its row.
    ///
    /// - Parameters:
    ///   - last: the ID of the receipt that the work goes on after; empty at the beginning.
    ///   - count: the maximum number of receipts that are read.
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` if one does not come back byte for byte; nothing is written then.
    func compactReceipts(after last: String, atMost count: Int) throws -> CompactedReceipts {
        let found = try all(
            """
            \(ReceiptRow.selection)
            WHERE r.id > ? AND kind = ? AND r.content <> '' AND status IN ('verified', 'conflict')
            ORDER BY r.id LIMIT ?
            """, [last, Receipt.Kind.signedTransaction.rawValue, count])
        var result = CompactedReceipts(last: nil, packed: 0, bytesBefore: 0, bytesAfter: 0)
        for row in try found.map(ReceiptRow.init) {
            result.last = row.receipt.id
            guard let packed = PackedTransaction(row.receipt.content) else { continue }
            try replaceContent(of: row.receipt, by: packed)
            result.packed += 1
            result.bytesBefore += row.receipt.content.utf8.count
            result.bytesAfter += packed.bytes.count
        }
        return result
    }

    private func replaceContent(of receipt: Receipt, by packed: PackedTransaction) throws {
        let digest = headers.digest(of: packed.header)
        try write(header: packed.header, digest)
        try send(
            """
            UPDATE receipts SET content = '', packed = ?, header = (SELECT id FROM receiptHeaders WHERE digest = ?)
            WHERE id = ?
            """, [packed.bytes, digest, receipt.id])
        guard try self.receipt(id: receipt.id, of: receipt.account)?.receipt.content == receipt.content else {
            throw LedgerUnavailable("receipt \(receipt.id) does not come back as it was sent")
        }
    }
}
