import GRDB

@testable import LedgerSQLite

extension SQLiteLedger {
    /// Runs a statement behind the ledger's back.
    func execute(_ sql: String) async throws {
        try await writer.writeWithoutTransaction { try $0.execute(sql: sql) }
    }
}
