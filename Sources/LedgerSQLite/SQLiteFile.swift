import Foundation
import GRDB
import InAppPurchase
public import LedgerSQL

/// The file of a ledger, to be copied, checked and replaced as a whole. Nothing in it is migrated.
///
/// Its methods block.
public struct SQLiteFile: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// Writes all of it, as it stands at one moment, into one file that needs no other beside it. A server may write
    /// meanwhile: it waits for nothing, but its write-ahead log grows until this is done.
    ///
    /// - Parameters:
    ///   - target: a file that is empty. It is on the disk when this returns.
    ///   - isReadOnly: whether this file is left as it is to the last byte; else SQLite may carry over its write-ahead
    ///     log, as each program does that closes it last.
    /// - Throws: ``InAppPurchase/LedgerUnavailable``
    public func copy(to target: String, isReadOnly: Bool) throws {
        try translatingErrors {
            var configuration = SQLiteLedger.configuration
            configuration.readonly = isReadOnly
            let source = try DatabaseQueue(path: path, configuration: configuration)
            let copy = try DatabaseQueue(path: target)
            // In one step: a copy in steps begins anew whenever another process has written.
            try source.backup(to: copy)
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
    public func check() throws -> SQLLedger {
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
}
