package import Foundation
import InAppPurchase
package import Ledger

/// The periods that an earlier version recorded under several IDs as several purchases; see
/// `docs/operate/backup.md`.
extension SQLLedger {
    package func doubledPeriods(limit: Int) async throws -> [DoubledPeriod] {
        try await read { try $0.doubledPeriods(limit: limit).map { DoubledPeriod($0) } }
    }

    package func repairPeriods(
        at date: Date, _ report: @escaping @Sendable (DoubledPeriod) throws -> Void
    ) async throws -> Int {
        // Terms are stored with every purchase.
        let context = RecordingContext(catalog: Catalog(), date: date)
        var count = 0
        while let account = try await read({ try $0.doubledPeriods(limit: 1).first?.creditedTo }) {
            count += try await write { rows in
                let doubled = try rows.doubledPeriods(of: account)
                for period in doubled { try report(DoubledPeriod(period)) }
                try rows.send(
                    "UPDATE transactions SET isDoubled = 0 WHERE creditedTo = ? AND isDoubled = 1", [account.text])
                try ReceiptRecorder(rows, context).countOnce(doubled)
                return doubled.count
            }
        }
        return count
    }
}

extension LedgerRows {
    fileprivate func doubledPeriods(limit: Int) throws -> [RecordedTransaction] {
        let found = try all(
            """
            SELECT app, environment, id FROM \(Self.doubled(db.dialect))
            ORDER BY creditedTo, app, environment, id LIMIT ?
            """, [limit])
        return try transactions(Set(found.map { try $0.transactionKey() }))
            .sorted { $0.creditedTo.text < $1.creditedTo.text }
    }

    fileprivate func doubledPeriods(of account: AccountID) throws -> [RecordedTransaction] {
        let found = try all(
            "SELECT app, environment, id FROM \(Self.doubled(db.dialect)) AND creditedTo = ?", [account.text])
        return try transactions(Set(found.map { try $0.transactionKey() }))
    }

    private static func doubled(_ dialect: SQLDialect) -> String {
        "transactions \(dialect.using(index: "transactionsDoubled")) WHERE isDoubled = 1 AND forgottenAt IS NULL"
    }
}
