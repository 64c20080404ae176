import Foundation
import InAppPurchase

extension LedgerRows {
    func lines(_ keys: Set<Line.Key>) throws -> [Line.Key: Line] {
        let join = "\(db.dialect.orderedJoin) lines USING (app, environment, originalID)"
        var lines = try all(
            of: keys,
            "SELECT app, environment, originalID, owner, basis FROM keys \(join) WHERE forgottenAt IS NULL"
        ).reduce(into: [Line.Key: Line]()) { lines, row in
            let key = try row.lineKey()
            lines[key] = try Line(
                key: key, owner: row.account("owner"), basis: Line.Basis(rawValue: row["basis"]) ?? .presented)
        }
        let moves = try all(
            of: Set(lines.keys),
            """
            SELECT app, environment, originalID, fromAccount, toAccount, movedAt
            FROM keys \(join) \(db.dialect.orderedJoin) lineMoves USING (app, environment, originalID)
            WHERE position >= forgottenMoves ORDER BY position
            """)
        for move in moves { lines[try move.lineKey()]?.moves.append(try Line.Move(move)) }
        return lines
    }

    func write(_ line: Line) throws {
        let key = line.key
        try send(
            """
            INSERT INTO lines (app, environment, originalID, owner, basis) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE
            SET owner = excluded.owner, basis = excluded.basis, forgottenAt = NULL
            """, key.arguments + [line.owner.text, line.basis.rawValue])
        for (position, move) in line.moves.enumerated() {
            try send(
                """
                INSERT INTO lineMoves (app, environment, originalID, position, fromAccount, toAccount, movedAt)
                SELECT app, environment, originalID, forgottenMoves + CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT),
                    CAST(? AS BIGINT)
                FROM lines
                WHERE app = ? AND environment = ? AND originalID = ? ON CONFLICT DO NOTHING
                """,
                [
                    position, move.from.text, move.to.text, move.date.milliseconds, key.app, key.environment.rawValue,
                    key.originalID,
                ])
        }
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

extension Line.Move {
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
