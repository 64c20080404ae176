import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// The maximum number of headers that are known to be stored: more than there are certificates that sign for the
    /// App Store at a time.
    static let maximumKnownHeaders = 64

    /// Packs the bytes of a verified receipt and has a row for its header written; `nil` if they are stored as they
    /// are.
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

    /// The maximum number of receipts that are looked at for those to be packed: most may be packed already.
    static let maximumLookedAt = 2_000

    /// Finds verified receipts that are stored as they were sent.
    ///
    /// - Parameters:
    ///   - last: the ID of the receipt after which the search begins; empty at the beginning.
    ///   - count: the maximum number of receipts that are found, among ``maximumLookedAt``.
    /// - Returns: their number, the number of those that were looked at, and the ID of the last of these, if there is
    ///   any.
    func receiptsToBePacked(
        after last: String, atMost count: Int
    ) throws -> (found: Int, lookedAt: Int, last: String?) {
        let rows = try all(
            """
            SELECT id, CASE WHEN kind = ? AND content <> '' AND status IN ('verified', 'conflict') THEN 1 ELSE 0 END
                AS isFound
            FROM receipts WHERE id > ? ORDER BY id LIMIT ?
            """, [Receipt.Kind.signedTransaction.rawValue, last, Self.maximumLookedAt])
        var (found, lookedAt, last): (Int, Int, String?) = (0, 0, nil)
        for row in rows where found < count {
            found += try row["isFound"]
            lookedAt += 1
            last = try row["id"]
        }
        return (found, lookedAt, last)
    }

    /// Packs verified receipts that are stored as they were sent, and reads each back from its row.
    ///
    /// - Parameters:
    ///   - first: the ID before the first one.
    ///   - last: the ID of the last one.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if one does not come back byte for byte; nothing is written then.
    func packReceipts(after first: String, upTo last: String) throws -> CompactedReceipts {
        let found = try all(
            """
            \(ReceiptRow.selection)
            WHERE r.id > ? AND r.id <= ? AND kind = ? AND r.content <> '' AND status IN ('verified', 'conflict')
            ORDER BY r.id
            """, [first, last, Receipt.Kind.signedTransaction.rawValue])
        var result = CompactedReceipts(last: last, lookedAt: 0, packed: 0, bytesBefore: 0, bytesAfter: 0)
        for row in try found.map(ReceiptRow.init) {
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
