import Foundation
import InAppPurchase
import Ledger

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
