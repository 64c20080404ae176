import CSQLite
import Foundation
import GRDB
package import InAppPurchase
import Ledger
package import LedgerSQL

/// The embedded ledger: one SQLite file, one writer at a time, no server to install.
///
/// Commits are durable when a method returns: write-ahead log with `synchronous = FULL`. The command line may write to
/// the same file while a server runs.
package enum SQLiteLedger {
    /// The timeout of waiting for another process's write, in seconds.
    static let busyTimeout: TimeInterval = 5

    /// The writer's page cache, in KiB: SQLite's own 2,000 do not hold the indexes that every receipt changes.
    static let writerCache = 32_768

    /// Opens the file, creates it if there is none, and migrates it.
    ///
    /// - Parameters:
    ///   - handlers: the product types whose terms the ledger can decode.
    ///   - mayBeNew: whether the tables are created if there are none. A file that holds something else stays as it is.
    ///   - onCommit: called with the times of each commit.
    ///   - onCheckpoint: called with the end of each checkpoint.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the file cannot be opened, SQLite does not guarantee durable commits,
    ///   another program or a later version wrote the file, or it holds purchases of a type that is not among the
    ///   handlers.
    package static func open(
        path: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        onCommit: @escaping CommitObserver = { _ in }, onCheckpoint: @escaping CheckpointObserver = { _ in }
    ) throws -> SQLLedger {
        try translatingErrors {
            try SQLiteFile(path).requireLedger(mayBeNew: mayBeNew)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try requireDurability(of: pool)
            try pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        PRAGMA cache_size = -\(writerCache);
                        PRAGMA wal_autocheckpoint = \(SQLiteCheckpoints.maximumPages)
                        """)
            }
            let database = SQLiteDatabase(writer: pool, path: path, onCheckpoint: onCheckpoint)
            let ledger = try ledger(in: database, handlers, onCommit)
            // The journal of a savepoint or a statement would be written to a temporary file from 64 KiB on: twice what
            // the log gets. Not for the migration, which may have to undo a large ledger.
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA temp_store = MEMORY") }
            return ledger
        }
    }

    /// An in-memory ledger for tests: gone when it is released.
    package static func inMemory(
        handlers: [any ProductHandler.Type], onCommit: @escaping CommitObserver = { _ in }
    ) throws -> SQLLedger {
        try translatingErrors {
            let queue = try DatabaseQueue(configuration: configuration)
            try emptyLedger.get().backup(to: queue)
            return try ledger(in: SQLiteDatabase(writer: queue), handlers, onCommit)
        }
    }

    /// A migrated ledger in memory, of which others are copies: to run all migrations takes as long as a whole test.
    private static let emptyLedger = Result {
        let queue = try DatabaseQueue(configuration: configuration)
        try Schema.migrator.migrate(queue)
        return queue
    }

    /// Migrates the tables.
    ///
    /// - Throws: as ``open(path:handlers:mayBeNew:onCommit:onCheckpoint:)``.
    static func ledger(
        in database: SQLiteDatabase, _ handlers: [any ProductHandler.Type], _ onCommit: @escaping CommitObserver
    ) throws -> SQLLedger {
        let writer = database.writer
        guard try !writer.read(Schema.migrator.hasBeenSuperseded) else {
            throw LedgerUnavailable("a later version of this server wrote the file")
        }
        try writer.writeWithoutTransaction(SQLiteFile.mark)
        try Schema.migrator.migrate(writer)
        try writer.read { db in try SQLLedger.requireHandlers(handlers, in: SQLiteTransaction(db: db)) }
        return SQLLedger(database, handlers: handlers, onCommit: onCommit)
    }

    /// The configuration of every connection.
    static var configuration: Configuration {
        withoutMemoryStatistics
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        return configuration
    }

    /// SQLite locks a mutex of the whole process for each allocation to count its bytes, which nothing asks for: a
    /// receipt has 350.
    private static let withoutMemoryStatistics: Void = quartermaster_sqlite_without_memory_statistics()

    /// Checks `synchronous`: GRDB sets `NORMAL` when it opens a pool, with which a power loss undoes acknowledged
    /// commits.
    private static func requireDurability(of pool: DatabasePool) throws {
        let full = 2
        let level = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard level == full else { throw LedgerUnavailable("SQLite did not accept synchronous = FULL") }
    }
}
