import InAppPurchase
import Ledger

extension LedgerRows {
    func recorded(_ copies: [Transaction]) throws -> RecordedCopies {
        let keys = Set(copies.map(CopyKey.init))
        let known = pending.copies.flatMap { $0.keys == keys ? $0.rows : nil }
        let rows = try known ?? all(of: keys, Self.copies)
        // They may be written to from now on.
        pending.copies = nil
        var found = RecordedCopies()
        var originals: [OriginalTransaction.Key: OriginalTransactionRow] = [:]
        for row in rows {
            let key = try row.originalTransactionKey()
            if try row["facts"] as String? != nil {
                found.records.append(try record(row, owner: "recordOwner", originalID: "recordedOriginalID"))
            }
            if try row["owner"] as String? != nil { originals[key] = try OriginalTransactionRow(row, key) }
            if try row["isAwaited"] { found.awaited.insert(key) }
        }
        found.originals = try withTransfers(Array(originals.values))
        return found
    }

    static let copies = KeyedSelection<CopyKey> {
        "SELECT \(copyColumns($0)) FROM keys \(copyTables) WHERE keys.app IS NOT NULL"
    }

    /// The columns of ``copyTables``.
    static func copyColumns(_ dialect: SQLDialect) -> String {
        """
        keys.app, keys.environment, keys.originalID,
            t.id, t.originalID AS recordedOriginalID, t.product, t.purchasedAt, t.expiresAt,
            t.facts, t.terms, t.creditedTo, o.owner AS recordOwner, m.product AS termsProduct,
            l.owner, l.basis, l.ownerEvidenceAt, l.moveCount - l.forgottenMoves AS moved,
            l.owner IS NULL AND EXISTS (
                SELECT 1 FROM unclaimedTransactions u \(dialect.using(index: "unclaimedLine"))
                WHERE u.app = keys.app AND u.environment = keys.environment AND u.originalID = keys.originalID
            ) AS isAwaited
        """
    }

    /// The joins behind a table `keys` with the columns of ``CopyKey``.
    static let copyTables = """
        LEFT JOIN transactions t
            ON t.app = keys.app AND t.environment = keys.environment AND t.id = keys.id AND t.forgottenAt IS NULL
        LEFT JOIN lines o ON o.app = t.app AND o.environment = t.environment AND o.originalID = t.originalID
        LEFT JOIN terms m ON m.hash = t.terms
        LEFT JOIN lines l ON l.app = keys.app AND l.environment = keys.environment AND l.originalID = keys.originalID
            AND l.forgottenAt IS NULL
        """
}
