import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    func originalTransactions(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        OriginalTransaction]
    {
        let newest = "position > forgottenMoves AND position >= moveCount - \(Claim.transfersPerWindow)"
        return try originalTransactions(keys, transfers: ["position = forgottenMoves", newest])
    }

    /// The original transactions with all their transfers: for administrators and checks, which look at one account.
    func originalTransactionsWithAllTransfers(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        OriginalTransaction]
    {
        try originalTransactions(keys, transfers: ["position >= forgottenMoves"])
    }

    /// - Parameter transfers: conditions for the transfers, each by itself so that an index answers it, oldest first.
    private func originalTransactions(_ keys: Set<OriginalTransaction.Key>, transfers conditions: [String]) throws
        -> [OriginalTransaction
        .Key: OriginalTransaction]
    {
        let join = "\(db.dialect.orderedJoin) lines USING (app, environment, originalID)"
        var originals = try all(
            of: keys,
            """
            SELECT app, environment, originalID, owner, basis, ownerEvidenceAt, moveCount - forgottenMoves AS moved
            FROM keys \(join) WHERE forgottenAt IS NULL
            """
        ).reduce(into: [OriginalTransaction.Key: (original: OriginalTransaction, moved: Int)]()) { originals, row in
            let key = try row.originalTransactionKey()
            let original = try OriginalTransaction(
                key: key, owner: row.account("owner"),
                basis: OriginalTransaction.Basis(rawValue: row["basis"]) ?? .presented,
                ownerEvidenceDate: row.dateIfAny("ownerEvidenceAt"))
            originals[key] = (original, try row["moved"])
        }
        let moved = Set(originals.filter { $0.value.moved > 0 }.keys)
        for condition in conditions where !moved.isEmpty {
            let transfers = try all(
                of: moved,
                """
                SELECT app, environment, originalID, fromAccount, toAccount, movedAt
                FROM keys \(join) \(db.dialect.orderedJoin) lineMoves USING (app, environment, originalID)
                WHERE \(condition) ORDER BY position
                """)
            for move in transfers {
                originals[try move.originalTransactionKey()]?.original.transfers.append(
                    try OriginalTransaction.Transfer(move))
            }
        }
        return originals.mapValues(\.original)
    }

    func write(_ original: OriginalTransaction, adding transfers: [OriginalTransaction.Transfer]) throws {
        let key = original.key
        try send(
            """
            INSERT INTO lines (app, environment, originalID, owner, basis, ownerEvidenceAt) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE
            SET owner = excluded.owner, basis = excluded.basis, ownerEvidenceAt = excluded.ownerEvidenceAt,
                forgottenAt = NULL,
                changedOwner = CASE WHEN lines.owner = excluded.owner THEN lines.changedOwner ELSE 1 END
            """,
            key.arguments + [original.owner.text, original.basis.rawValue, original.ownerEvidenceDate?.milliseconds])
        for move in transfers {
            try send(
                """
                INSERT INTO lineMoves (app, environment, originalID, position, fromAccount, toAccount, movedAt)
                SELECT app, environment, originalID, moveCount, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT)
                FROM lines WHERE app = ? AND environment = ? AND originalID = ?
                """, [move.from.text, move.to.text, move.date.milliseconds] + key.arguments)
            try send(
                "UPDATE lines SET moveCount = moveCount + 1 WHERE app = ? AND environment = ? AND originalID = ?",
                key.arguments)
        }
    }

    func transferCredits(of original: OriginalTransaction.Key, from: AccountID, to: AccountID) throws {
        try send(
            """
            UPDATE transactions \(db.dialect.using(index: "transactionsLine")) SET creditedTo = ?
            WHERE app = ? AND environment = ? AND originalID = ? AND creditedTo = ? AND forgottenAt IS NULL
            """, [to.text] + original.arguments + [from.text])
    }

    func deliveries(of keys: Set<Transaction.Key>, to account: AccountID) throws -> [Transaction.Key: Delivery.Cause] {
        try all(
            of: keys,
            """
            SELECT app, environment, id, receipt, notification
            FROM keys \(db.dialect.orderedJoin) deliveries USING (app, environment, id)
            WHERE account = ? AND forgottenAt IS NULL
            """, [account.text]
        )
        .reduce(into: [:]) { deliveries, row in deliveries[try row.transactionKey()] = try Delivery.Cause(row) }
    }

    func write(_ delivery: Delivery) throws {
        let key = delivery.transaction
        try send(
            """
            INSERT INTO deliveries (account, app, environment, id, receipt, notification, deliveredAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, id) DO UPDATE
            SET receipt = excluded.receipt, forgottenAt = NULL,
                notification = coalesce(excluded.notification, deliveries.notification),
                deliveredAt = CASE WHEN deliveries.forgottenAt IS NULL THEN deliveries.deliveredAt
                    ELSE excluded.deliveredAt END
            WHERE deliveries.forgottenAt IS NOT NULL
                OR (deliveries.receipt IS NULL AND deliveries.notification IS NOT NULL)
            """,
            [
                delivery.account.text, key.app, key.environment.rawValue, key.id, delivery.cause.receipt,
                delivery.cause.notification, delivery.date.milliseconds,
            ])
    }
}

extension OriginalTransaction.Transfer {
    fileprivate init(_ row: SQLRow) throws {
        self.init(from: try row.account("fromAccount"), to: try row.account("toAccount"), date: try row.date("movedAt"))
    }
}

extension Delivery.Cause {
    fileprivate init(_ row: SQLRow) throws {
        if let receipt: String = try row["receipt"] {
            self = .receipt(receipt)
        } else if let notification: String = try row["notification"] {
            self = .notification(notification)
        } else {
            self = .operator
        }
    }

    fileprivate var receipt: String? { if case .receipt(let id) = self { id } else { nil } }

    fileprivate var notification: String? { if case .notification(let id) = self { id } else { nil } }
}
