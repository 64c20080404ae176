import GRDB
package import InAppPurchase
import Ledger
package import LedgerSQL

extension SQLiteFile {
    /// The migrations that were run on the file, and that there are. The file stays as it is.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if it holds no ledger, or a later version of this server wrote it.
    package func migrations() throws -> LedgerMigrations {
        try translatingErrors {
            try requireLedger(mayBeNew: false)
            var configuration = SQLiteLedger.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                guard try !Schema.migrator.hasBeenSuperseded(db) else {
                    throw LedgerUnavailable("a later version of this server wrote the file")
                }
                return LedgerMigrations(
                    done: try Schema.migrator.appliedIdentifiers(db).count, newest: Schema.migrator.migrations.count)
            }
        }
    }

    /// Runs the missing migrations, as the start of a server does, and closes the file.
    ///
    /// - Throws: as ``SQLiteLedger/open(path:handlers:mayBeNew:onCommit:onCheckpoint:)``.
    package func migrate(handlers: [any ProductHandler.Type]) throws {
        try translatingErrors {
            try requireLedger(mayBeNew: false)
            let queue = try DatabaseQueue(path: path, configuration: SQLiteLedger.configuration)
            let database = SQLiteDatabase(writer: queue)
            _ = try SQLiteLedger.ledger(in: database, handlers) { _ in }
            try database.close()
        }
    }
}
