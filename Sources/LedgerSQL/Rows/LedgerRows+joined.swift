import Foundation
import InAppPurchase
import Ledger

/// The original transactions that are another one, since one period is of both.
extension LedgerRows {
    func joinedOriginals(among keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: TransactionID] {
        try all(of: keys, Self.joinedOriginals).reduce(into: [:]) { names, row in
            names[try row.originalTransactionKey()] = try row["name"]
        }
    }

    private static let joinedOriginals = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT app, environment, originalID, name
        FROM keys \(dialect.orderedJoin) joinedLines USING (app, environment, originalID)
        """
    }

    func join(_ original: OriginalTransaction.Key, to name: TransactionID, at date: Date) throws {
        let named = original.named(name)
        let line = "app = ? AND environment = ? AND originalID = ?"
        try send(
            "UPDATE joinedLines SET name = ? WHERE app = ? AND environment = ? AND name = ?",
            [name] + original.arguments)
        try send(
            """
            INSERT INTO joinedLines (app, environment, originalID, name) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE SET name = excluded.name
            """, original.arguments + [name])
        try send(
            "UPDATE transactions \(db.dialect.using(index: "transactionsLine")) SET originalID = ? WHERE \(line)",
            [name] + original.arguments)
        // Those that credit the other one's owner are found by the original transaction.
        try send("UPDATE lines SET changedOwner = 1 WHERE \(line)", named.arguments)
        try send(
            "UPDATE lines SET forgottenAt = ?, forgottenMoves = moveCount, changedOwner = 0 WHERE \(line)",
            [date.milliseconds] + original.arguments)
    }
}
