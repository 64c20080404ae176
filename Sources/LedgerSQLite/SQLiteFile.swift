import Foundation
import GRDB
import InAppPurchase
package import LedgerSQL

/// The file of a ledger, to be copied, checked and replaced as a whole. Nothing in it is migrated.
///
/// Its methods block.
package struct SQLiteFile: Sendable {
    /// Pages of a copy between two words of its progress: 4 MiB, of which a disk writes some in a second.
    static let stepPages: CInt = 1_024

    package let path: String

    package init(_ path: String) { self.path = path }

    /// Writes all of it, as it stands at one moment, into one file that needs no other beside it. A server may write
    /// meanwhile: it waits for nothing, but its write-ahead log grows until this is done.
    ///
    /// - Parameters:
    ///   - target: a file that is empty. It is on the disk when this returns.
    ///   - isReadOnly: whether this file is left as it is to the last byte; else SQLite may carry over its write-ahead
    ///     log, as each program does that closes it last.
    ///   - progress: called with how many bytes were copied, and of how many, after every ``stepPages`` pages at most.
    /// - Throws: ``InAppPurchase/LedgerUnavailable``
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
                    // What was read keeps the moment: without it a copy in steps begins anew when another process writes.
                    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
                    try db.backup(to: target, pagesPerStep: Self.stepPages) {
                        progress($0.completedPageCount * pageSize, $0.totalPageCount * pageSize)
                    }
                }
            }
            try copy.writeWithoutTransaction { db in
                // The copy of a file with a write-ahead log would have one too.
                guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
                    throw LedgerUnavailable("SQLite did not accept journal_mode = DELETE")
                }
            }
            try source.close()
            try copy.close()
        }
        try FileHandle(forWritingTo: URL(filePath: target)).synchronize()
    }

    /// Looks at every page and every index.
    ///
    /// - Returns: the ledger, to be read only.
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where SQLite finds anything wrong, and where no version of this
    ///   server wrote the file, a later one, or one from before the seals of the audit trail.
    package func check() throws -> SQLLedger {
        try translatingErrors {
            var configuration = SQLiteLedger.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                let wrong = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
                guard wrong == "ok" else {
                    let line = wrong.split(whereSeparator: \.isNewline).joined(separator: " ")
                    throw LedgerUnavailable("the file is broken: \(line)")
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
    /// - Parameter body: is given the ledger, which it must not keep.
    /// - Returns: nil, and `body` is not called, where the file holds no ledger whose trail is sealed, or a later version
    ///   wrote it: nobody knows then what its tables are.
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where SQLite cannot read the file, and what `body` throws.
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
        let ledger = SQLLedger(SQLiteDatabase(writer: queue), handlers: [], onCommit: { _ in })
        let result: Result<Value, any Error>
        do { result = .success(try await body(ledger)) } catch { result = .failure(error) }
        try translatingErrors { try queue.close() }
        return try result.get()
    }
}
