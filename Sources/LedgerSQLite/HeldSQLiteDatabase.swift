import GRDB
package import InAppPurchase
package import LedgerSQL

/// SQLite in one transaction from the first read to the last, which only reads and lets nobody else write.
struct HeldSQLiteDatabase: SQLDatabase {
    private let queue: DatabaseQueue

    /// Begins the transaction; it ends with the connection.
    init(_ queue: DatabaseQueue) throws {
        self.queue = queue
        try queue.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            // The transaction sees what stands now, and not at its first read.
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        }
    }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        throw LedgerUnavailable("the file is open to be read only")
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await translatingErrors { try await queue.unsafeRead { db in try work(SQLiteTransaction(db: db)) } }
    }
}

extension SQLiteLedger {
    /// Opens a file to read it only, all of it as it stands now. Nobody else can write to it until it is released.
    ///
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where somebody writes to it for longer than a write takes, and where
    ///   another version of this server wrote it: nothing is migrated.
    package static func openHeld(path: String, handlers: [any ProductHandler.Type]) throws -> SQLLedger {
        try translatingErrors {
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
