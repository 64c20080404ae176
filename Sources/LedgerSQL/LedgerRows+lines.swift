import Foundation
import InAppPurchase

extension LedgerRows {
    func lines(_ keys: Set<Line.Key>) throws -> [Line.Key: Line] {
        try keys.reduce(into: [:]) { lines, key in lines[key] = try line(key) }
    }

    private func line(_ key: Line.Key) throws -> Line? {
        let arguments: SQLArguments = [key.app, key.environment.rawValue, key.originalID]
        let row = try one(
            """
            SELECT owner, basis FROM lines
            WHERE app = ? AND environment = ? AND originalID = ? AND forgottenAt IS NULL
            """, arguments)
        guard let row else { return nil }
        let moves = try all(
            """
            SELECT fromAccount, toAccount, movedAt FROM lineMoves JOIN lines USING (app, environment, originalID)
            WHERE app = ? AND environment = ? AND originalID = ? AND position >= forgottenMoves ORDER BY position
            """, arguments)
        return try Line(
            key: key, owner: row.account("owner"), basis: Line.Basis(rawValue: row["basis"]) ?? .presented,
            moves: moves.map {
                try Line.Move(
                    from: $0.account("fromAccount"), to: $0.account("toAccount"), date: $0.date("movedAt"))
            })
    }

    func write(_ line: Line) throws {
        let key = line.key
        try run(
            """
            INSERT INTO lines (app, environment, originalID, owner, basis) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE
            SET owner = excluded.owner, basis = excluded.basis, forgottenAt = NULL
            """, [key.app, key.environment.rawValue, key.originalID, line.owner.text, line.basis.rawValue])
        for (position, move) in line.moves.enumerated() {
            try run(
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
        try keys.reduce(into: [:]) { deliveries, key in
            deliveries[key] = try one(
                """
                SELECT receipt, notification FROM deliveries
                WHERE account = ? AND app = ? AND environment = ? AND id = ? AND forgottenAt IS NULL
                """,
                [account.text, key.app, key.environment.rawValue, key.id]
            ).map(Delivery.Cause.init)
        }
    }

    func write(_ delivery: Delivery) throws {
        let key = delivery.transaction
        try run(
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
