import InAppPurchase

@testable import LedgerSQL

extension SQLLedger {
    /// Stores the facts of all transactions as the versions did that stored all of them, also what columns have.
    func storeWholeFacts() async throws {
        try await database.write { db in
            for row in try db.all("SELECT * FROM transactions", []) {
                let columns = try row.transactionColumns()
                let transaction = try FactsCodec.decodeUncached(row["facts"], columns)
                try db.run(
                    "UPDATE transactions SET facts = ? WHERE app = ? AND environment = ? AND id = ?",
                    [FactsCodec().encode(transaction), columns.app, columns.environment.rawValue, columns.id])
            }
        }
    }
}
