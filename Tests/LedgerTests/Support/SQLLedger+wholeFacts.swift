import InAppPurchase

@testable import LedgerSQL

extension SQLLedger {
    /// Stores the facts of all transactions as those versions did that stored all of them, including what is in
    /// columns.
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
