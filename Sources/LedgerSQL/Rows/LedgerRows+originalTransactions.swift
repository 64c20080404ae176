import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    func originalTransactions(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        OriginalTransaction]
    {
        try originalTransactions(keys, transfers: Self.firstAndNewestTransfers)
    }

    /// The original transactions with all their transfers: for administrators and checks, which look at one account.
    func originalTransactionsWithAllTransfers(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        OriginalTransaction]
    {
        try originalTransactions(keys, transfers: [Self.allTransfers])
    }

    private func originalTransactions(
        _ keys: Set<OriginalTransaction.Key>, transfers selections: [KeyedSelection<OriginalTransaction.Key>]
    ) throws -> [OriginalTransaction.Key: OriginalTransaction] {
        let rows = try all(of: keys, Self.originals)
        return try withTransfers(rows.map { try OriginalTransactionRow($0, $0.originalTransactionKey()) }, selections)
    }

    /// Adds the first and the newest transfers to the rows of original transactions.
    func withTransfers(_ rows: [OriginalTransactionRow]) throws -> [OriginalTransaction.Key: OriginalTransaction] {
        try withTransfers(rows, Self.firstAndNewestTransfers)
    }

    private func withTransfers(
        _ rows: [OriginalTransactionRow], _ selections: [KeyedSelection<OriginalTransaction.Key>]
    ) throws -> [OriginalTransaction.Key: OriginalTransaction] {
        var originals = Dictionary(rows.map { ($0.original.key, $0.original) }) { first, _ in first }
        let moved = Set(rows.filter { $0.transfers > 0 }.map(\.original.key))
        for selection in selections where !moved.isEmpty {
            for move in try all(of: moved, selection) {
                originals[try move.originalTransactionKey()]?.transfers.append(try OriginalTransaction.Transfer(move))
            }
        }
        return originals
    }

    private static let originals = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT app, environment, originalID, owner, basis, ownerEvidenceAt, owners, moveCount - forgottenMoves AS moved
        FROM keys \(dialect.orderedJoin) lines USING (app, environment, originalID) WHERE forgottenAt IS NULL
        """
    }

    private static let allTransfers = transfers("position >= forgottenMoves")

    private static let firstAndNewestTransfers = [
        transfers("position = forgottenMoves"),
        transfers(
            """
            position > forgottenMoves AND position >= moveCount - \(Claim.searchedTransfers)
                AND (isPayment = 0 OR position >= moveCount - \(Claim.transfersPerWindow))
            """),
    ]

    /// - Parameter condition: for the transfers, such that an index answers it.
    private static func transfers(_ condition: String) -> KeyedSelection<OriginalTransaction.Key> {
        KeyedSelection { dialect in
            """
            SELECT app, environment, originalID, fromAccount, toAccount, movedAt, isPayment
            FROM keys \(dialect.orderedJoin) lines USING (app, environment, originalID)
            \(dialect.orderedJoin) lineMoves USING (app, environment, originalID)
            WHERE \(condition) ORDER BY position
            """
        }
    }

    /// Selects the keys of the original transactions that an account (`?1`) owns: of those whose purchases credited it,
    /// and of those that have had another owner. All others credit their owner.
    static func owned(_ dialect: SQLDialect) -> String {
        """
        (
            SELECT l.app, l.environment, l.originalID
            FROM (
                SELECT DISTINCT app, environment, originalID
                FROM transactions \(dialect.using(index: "transactionsCredited")) WHERE creditedTo = ?1
            ) credited \(dialect.orderedJoin) lines l USING (app, environment, originalID)
            WHERE l.owner = ?1
            UNION
            SELECT app, environment, originalID FROM lines \(dialect.using(index: "linesChangedOwner"))
            WHERE owner = ?1 AND changedOwner = 1
        ) owned
        """
    }

    func write(_ original: OriginalTransaction, adding transfers: [OriginalTransaction.Transfer]) throws {
        let key = original.key
        try send(
            Self.writeOriginal,
            values: [
                .text(key.app.text), .text(key.environment.rawValue), .text(key.originalID.text),
                .text(original.owner.text), .text(original.basis.rawValue),
                .maybe(original.ownerEvidenceDate?.milliseconds), original.history.map { .blob($0.data) } ?? .null,
            ])
        for move in transfers {
            try send(
                """
                INSERT INTO lineMoves
                    (app, environment, originalID, position, fromAccount, toAccount, movedAt, isPayment)
                SELECT app, environment, originalID, moveCount, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),
                    CAST(? AS BIGINT)
                FROM lines WHERE app = ? AND environment = ? AND originalID = ?
                """, [move.from.text, move.to.text, move.date.milliseconds, move.isPayment ? 1 : 0] + key.arguments)
            try send(
                "UPDATE lines SET moveCount = moveCount + 1 WHERE app = ? AND environment = ? AND originalID = ?",
                key.arguments)
        }
    }

    private static let writeOriginal = SQLStatement(
        constant: """
            INSERT INTO lines (app, environment, originalID, owner, basis, ownerEvidenceAt, owners)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE
            SET owner = excluded.owner, basis = excluded.basis, ownerEvidenceAt = excluded.ownerEvidenceAt,
                owners = excluded.owners, forgottenAt = NULL,
                changedOwner = CASE WHEN lines.owner = excluded.owner THEN lines.changedOwner ELSE 1 END
            """)

    func transferCredits(of original: OriginalTransaction.Key, from: AccountID, to: AccountID) throws {
        try send(
            """
            UPDATE transactions \(db.dialect.using(index: "transactionsLine")) SET creditedTo = ?
            WHERE app = ? AND environment = ? AND originalID = ? AND creditedTo = ? AND forgottenAt IS NULL
            """, [to.text] + original.arguments + [from.text])
    }

    func credit(_ transaction: Transaction.Key, to account: AccountID) throws {
        try send(
            "UPDATE transactions SET creditedTo = ? WHERE app = ? AND environment = ? AND id = ?",
            [account.text] + transaction.arguments)
    }

    func deliveries(of keys: Set<Transaction.Key>, to account: AccountID) throws -> [Transaction.Key: Delivery.Cause] {
        try all(of: keys, Self.deliveries, [account.text])
            .reduce(into: [:]) { deliveries, row in deliveries[try row.transactionKey()] = try Delivery.Cause(row) }
    }

    func firstDelivery(of keys: Set<Transaction.Key>, to account: AccountID) throws -> Date? {
        try all(of: keys, Self.deliveries, [account.text]).map { try $0.date("deliveredAt") }.min()
    }

    private static let deliveries = KeyedSelection<Transaction.Key> { dialect in
        """
        SELECT app, environment, id, receipt, notification, deliveredAt
        FROM keys \(dialect.orderedJoin) deliveries USING (app, environment, id)
        WHERE account = ? AND forgottenAt IS NULL
        """
    }

    private static let writeDelivery = SQLStatement(
        constant: """
            INSERT INTO deliveries (account, app, environment, id, receipt, notification, deliveredAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, id) DO UPDATE
            SET receipt = excluded.receipt, forgottenAt = NULL,
                notification = coalesce(excluded.notification, deliveries.notification),
                deliveredAt = CASE WHEN deliveries.forgottenAt IS NULL THEN deliveries.deliveredAt
                    ELSE excluded.deliveredAt END
            WHERE deliveries.forgottenAt IS NOT NULL
                OR (deliveries.receipt IS NULL AND deliveries.notification IS NOT NULL)
            """)

    func write(_ delivery: Delivery) throws {
        let key = delivery.transaction
        try send(
            Self.writeDelivery,
            values: [
                .text(delivery.account.text), .text(key.app.text), .text(key.environment.rawValue), .text(key.id.text),
                .maybe(delivery.cause.receipt), .maybe(delivery.cause.notification),
                .integer(delivery.date.milliseconds),
            ])
    }
}

extension OriginalTransaction.Transfer {
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            from: row.account("fromAccount"), to: row.account("toAccount"), date: row.date("movedAt"),
            isPayment: row["isPayment"] as Int != 0)
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

extension LedgerRows {
    func forgottenOriginalTransactions(among keys: Set<OriginalTransaction.Key>) throws -> Set<OriginalTransaction.Key>
    {
        Set(try all(of: keys, Self.forgottenLines).map { try $0.originalTransactionKey() })
    }

    func forgottenTransactions(among keys: Set<Transaction.Key>) throws -> Set<Transaction.Key> {
        Set(try all(of: keys, Self.forgottenTransactions).map { try $0.transactionKey() })
    }

    /// The rows of joined ones do not count, but nothing of them was forgotten.
    private static let forgottenLines = forgotten(
        OriginalTransaction.Key.self, in: "lines",
        and: """
             AND NOT EXISTS (
                SELECT 1 FROM joinedLines j WHERE j.app = lines.app AND j.environment = lines.environment
                    AND j.originalID = lines.originalID)
            """)
    private static let forgottenTransactions = forgotten(Transaction.Key.self, in: "transactions")

    private static func forgotten<Key: RowKey>(
        _ type: Key.Type, in table: String, and condition: String = ""
    ) -> KeyedSelection<Key> {
        KeyedSelection { dialect in
            """
            SELECT \(Key.columns) FROM keys \(dialect.orderedJoin) \(table) USING (\(Key.columns))
            WHERE forgottenAt IS NOT NULL\(condition)
            """
        }
    }

    func scopes(of account: AccountID) throws -> Set<Scope> {
        let rows = try all(
            """
            SELECT app, environment FROM balances WHERE account = ?1
            UNION SELECT app, environment FROM \(Self.owned(db.dialect))
            """, [account.text])
        return Set(try rows.map { try $0.scope() })
    }

    func originalTransactions(of account: AccountID, in scope: Scope) throws -> [OriginalTransaction] {
        let rows = try all(
            "SELECT originalID FROM \(Self.owned(db.dialect)) WHERE app = ?2 AND environment = ?3 ORDER BY originalID",
            [account.text, scope.app, scope.environment.rawValue])
        let keys = try rows.map { scope.original(try $0["originalID"]) }
        let originals = try originalTransactionsWithAllTransfers(Set(keys))
        return keys.compactMap { originals[$0] }
    }

    func forget(_ original: OriginalTransaction, at date: Date) throws {
        let (key, date) = (original.key, date.milliseconds)
        for owner in Set(original.transfers.flatMap { [$0.from, $0.to] } + [original.owner]) {
            try send(
                """
                UPDATE deliveries SET forgottenAt = ?1 WHERE account = ?2 AND app = ?3 AND environment = ?4 AND id IN (
                    SELECT id FROM transactions WHERE app = ?3 AND environment = ?4 AND originalID = ?5)
                """, [date, owner.text] + key.arguments)
        }
        let arguments: SQLArguments = [date] + key.arguments
        try send(
            """
            UPDATE transactions \(db.dialect.using(index: "transactionsLine")) SET forgottenAt = ?1
            WHERE app = ?2 AND environment = ?3 AND originalID = ?4 AND forgottenAt IS NULL
            """, arguments)
        try send(
            """
            UPDATE lines SET forgottenAt = ?1, forgottenMoves = moveCount
            WHERE app = ?2 AND environment = ?3 AND originalID = ?4
            """, arguments)
    }
}
