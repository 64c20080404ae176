package import GRDB
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

extension SQLLedger {
    /// SQLite behind the ledger.
    package var writer: any DatabaseWriter { get throws { try #require(database as? SQLiteDatabase).writer } }

    /// Closes all connections, so that the file is complete without its log.
    package func close() throws { try #require(database as? SQLiteDatabase).close() }

    /// Runs a statement behind the ledger's back.
    package func execute(_ sql: String) async throws {
        try await writer.writeWithoutTransaction { try $0.execute(sql: sql) }
    }
}
