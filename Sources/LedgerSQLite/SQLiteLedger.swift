import Foundation
import GRDB
package import InAppPurchase
package import LedgerSQL

/// The embedded ledger: one SQLite file, one writer at a time, nothing else to install.
///
/// Commits are durable when a method returns: write-ahead log with `synchronous = FULL`. The command line may write to
/// the same file while a server runs.
package enum SQLiteLedger {
    /// How long a write waits for another process's.
    static let busyTimeout: TimeInterval = 5

    /// Of the file's pages, in KiB: SQLite's own 2,000 do not hold the indexes that one receipt after the other changes.
    static let writerCache = 32_768

    /// How many pages the write-ahead log has before they are moved into the file, by the commit that is next: 32 MiB.
    /// SQLite's own 1,000 are those of two commits under load, which then wait for two flushes more each; pages that
    /// change again and again are moved once.
    static let checkpointPages = 8_192

    /// Opens the file, makes it where there is none, and migrates it.
    ///
    /// - Parameters:
    ///   - handlers: the types whose terms the ledger can read back.
    ///   - mayBeNew: whether the tables are made where there are none; else a file that holds no ledger stays as it is.
    ///   - onCommit: told of each commit what was in it, and how long it took.
    /// - Throws: ``LedgerUnavailable`` where the file cannot be opened, SQLite does not promise durable commits, a later
    ///   version wrote the file, or it holds purchases of a type that is not among the handlers.
    package static func open(
        path: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        onCommit: @escaping CommitObserver = { _ in }
    ) throws -> SQLLedger {
        try translatingErrors {
            if !mayBeNew { try requireLedger(at: path) }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try requireDurability(of: pool)
            try pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: "PRAGMA cache_size = -\(writerCache); PRAGMA wal_autocheckpoint = \(checkpointPages)")
            }
            return try ledger(in: pool, handlers, onCommit)
        }
    }

    /// To open a pool would write to the file already, whatever it is.
    private static func requireLedger(at path: String) throws {
        var configuration = configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        guard try queue.read(Schema.migrator.appliedIdentifiers).contains(Schema.firstVersion) else {
            throw LedgerUnavailable("there is no ledger in the file")
        }
    }

    /// A ledger in memory, for tests: gone when it is released.
    package static func inMemory(
        handlers: [any ProductHandler.Type], onCommit: @escaping CommitObserver = { _ in }
    ) throws -> SQLLedger {
        try translatingErrors { try ledger(in: DatabaseQueue(configuration: configuration), handlers, onCommit) }
    }

    private static func ledger(
        in writer: any DatabaseWriter, _ handlers: [any ProductHandler.Type],
        _ onCommit: @escaping CommitObserver
    ) throws -> SQLLedger {
        guard try !writer.read(Schema.migrator.hasBeenSuperseded) else {
            throw LedgerUnavailable("a later version of this server wrote the file")
        }
        try Schema.migrator.migrate(writer)
        try writer.read { db in try SQLLedger.requireHandlers(handlers, in: SQLiteTransaction(db: db)) }
        return SQLLedger(SQLiteDatabase(writer: writer), handlers: handlers, onCommit: onCommit)
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        return configuration
    }

    /// GRDB sets `synchronous = NORMAL` when it opens a pool, with which a power loss takes back what was acknowledged.
    private static func requireDurability(of pool: DatabasePool) throws {
        let full = 2
        let level = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard level == full else { throw LedgerUnavailable("SQLite did not accept synchronous = FULL") }
    }
}
