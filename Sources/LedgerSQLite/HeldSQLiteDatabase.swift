import GRDB
package import InAppPurchase
import Ledger
package import LedgerSQL

/// SQLite in a single read-only transaction, from the first read to the last, which locks out all writers.
struct HeldSQLiteDatabase: SQLDatabase {
    private let statements = SQLiteStatements()
    private let queue: DatabaseQueue

    /// Begins the transaction; it ends with the connection.
    init(_ queue: DatabaseQueue) throws {
        self.queue = queue
        try queue.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            // Starts the snapshot now, and not at the first read.
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        }
    }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        throw LedgerUnavailable("the file is open to be read only")
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value {
        try await translatingErrors {
            try await queue.unsafeRead { [statements] db in try work(SQLiteTransaction(db: db, statements: statements))
            }
        }
    }
}

extension SQLiteLedger {
    /// Opens a file read-only, in one snapshot. Nobody else can write to it until the ledger is released.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if another process holds the write lock for longer than a write
    ///   takes, or if another program or another version of this server wrote the file: nothing is migrated.
    package static func openHeld(path: String, handlers: [any ProductHandler.Type]) throws -> SQLLedger {
        try translatingErrors {
            try SQLiteFile(path).requireLedger(mayBeNew: false)
            var configuration = configuration
            configuration.allowsUnsafeTransactions = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let database = try HeldSQLiteDatabase(queue)
            try queue.unsafeRead { db in
                guard try !Schema.migrator.hasBeenSuperseded(db) else {
                    throw LedgerUnavailable("a later version of this server wrote the file")
                }
                guard try Schema.migrator.hasCompletedMigrations(db) else {
                    throw LedgerUnavailable(
                        "an earlier version of this server wrote the file; start this one on it once")
                }
                try SQLLedger.requireHandlers(handlers, in: SQLiteTransaction(db: db))
            }
            return SQLLedger(database, handlers: handlers, onCommit: { _ in })
        }
    }
}
