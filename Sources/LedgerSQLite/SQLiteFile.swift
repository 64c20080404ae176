import Foundation
import GRDB
import InAppPurchase
import Ledger
package import LedgerSQL

/// The file of a ledger, for copying, checking and replacing it as a whole. Nothing in it is migrated.
///
/// Its methods block.
package struct SQLiteFile: Sendable {
    /// The pages copied between two calls of `progress`: 4 MiB, of which a disk writes some in a second.
    static let stepPages: CInt = 1_024

    package let path: String

    package init(_ path: String) { self.path = path }

    /// Copies a snapshot of all of it into a single file. A server may write meanwhile: it is not blocked, but its
    /// write-ahead log grows until the copy is done.
    ///
    /// - Parameters:
    ///   - target: an empty file. It is synced to disk when this returns.
    ///   - isReadOnly: whether this file is left unchanged to the last byte; otherwise SQLite may checkpoint its
    ///     write-ahead log, as the last program that closes it does.
    ///   - progress: called with how many bytes were copied, and of how many, after every ``stepPages`` pages at most.
    /// - Throws: ``/Ledger/LedgerUnavailable``
    package func copy(
        to target: String, isReadOnly: Bool, progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws {
        try translatingErrors {
            var configuration = SQLiteLedger.configuration
            configuration.readonly = isReadOnly
            let source = try DatabaseQueue(path: path, configuration: configuration)
            let copy = try DatabaseQueue(path: target)
            try copy.writeWithoutTransaction { target in
                try source.read { db in
                    let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                    // Holds the snapshot: otherwise the copy restarts whenever another process writes.
                    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
                    try db.backup(to: target, pagesPerStep: Self.stepPages) {
                        progress($0.completedPageCount * pageSize, $0.totalPageCount * pageSize)
                    }
                }
            }
            try copy.writeWithoutTransaction { db in
                // Otherwise the copy would be in WAL mode too.
                guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
                    throw LedgerUnavailable("SQLite did not accept journal_mode = DELETE")
                }
            }
            try source.close()
            try copy.close()
        }
        try FileHandle(forWritingTo: URL(filePath: target)).synchronize()
    }

    /// Verifies every page and every index.
    ///
    /// - Returns: the ledger, read-only.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if SQLite finds anything wrong, or if the file was written by
    ///   another program, by a later version of this server, or by one from before the seals of the audit trail.
    package func check() throws -> SQLLedger {
        try translatingErrors {
            try requireLedger(mayBeNew: false)
            var configuration = SQLiteLedger.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                let wrong = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
                guard wrong == "ok" else {
                    let line = wrong.split(whereSeparator: \.isNewline).joined(separator: " ")
                    throw LedgerUnavailable("the file is broken: \(line); \(LedgerUnavailable.restoreAdvice)")
                }
                guard try !Schema.migrator.hasBeenSuperseded(db) else {
                    throw LedgerUnavailable("a later version of this server wrote the file")
                }
                guard try Schema.migrator.appliedIdentifiers(db).contains(Schema.versionWithSeals) else {
                    throw LedgerUnavailable("it holds no ledger whose audit trail is sealed")
                }
            }
            return SQLLedger(SQLiteDatabase(writer: queue), handlers: [], onCommit: { _ in })
        }
    }

    /// Opens the ledger to append to its audit trail, and closes it again. Nothing is migrated.
    ///
    /// - Parameter body: receives the ledger, which it must not store.
    /// - Returns: `nil`, without calling `body`, if the file holds no ledger with a sealed trail, or a later version
    ///   wrote it: its tables are not known then.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if SQLite cannot read the file, and what `body` throws.
    package func appendingToTrail<Value>(_ body: (SQLLedger) async throws -> Value) async throws -> Value? {
        let queue = try translatingErrors { try DatabaseQueue(path: path, configuration: SQLiteLedger.configuration) }
        let isFit = try translatingErrors {
            try queue.read { db in
                try !Schema.migrator.hasBeenSuperseded(db)
                    && Schema.migrator.appliedIdentifiers(db).contains(Schema.versionWithSeals)
            }
        }
        guard isFit else {
            try translatingErrors { try queue.close() }
            return nil
        }
        let database = SQLiteDatabase(writer: queue)
        let ledger = SQLLedger(database, handlers: [], onCommit: { _ in })
        let result: Result<Value, any Error>
        do { result = .success(try await body(ledger)) } catch { result = .failure(error) }
        try translatingErrors { try database.close() }
        return try result.get()
    }
}
