import AuditSeal
import Basics
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQLite
import ServerCore
import ServerHTTP

/// The SQLite file of a ledger, for commands that work on it as a whole.
struct LedgerFile {
    /// The path with every symbolic link resolved, so that the file is renamed, and not a link to it.
    let path: String

    /// - Throws: ``/ServerCore/CommandError`` if the ledger is in PostgreSQL.
    init(_ settings: Settings) throws {
        guard !PostgresLedger.isURL(settings.database) else {
            throw CommandError(
                """
                PostgreSQL is backed up by pg_dump or pg_basebackup, and restored by pg_restore; see \
                docs/operate/postgresql.md
                """)
        }
        guard let resolved = realpath(settings.database, nil) else {
            path = settings.database
            return
        }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    var file: SQLiteFile { SQLiteFile(path) }
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// - Throws: ``/ServerCore/CommandError`` if there is no file.
    func requireExists() throws {
        guard exists else { throw CommandError("\(LedgerOpener.whole(path)): there is no ledger") }
    }

    /// - Throws: ``/ServerCore/CommandError`` if another process has the file open; see
    ///   ``/LedgerSQLite/SQLiteFile/isOpenElsewhere()``.
    func requireUnused() throws {
        guard try naming({ try file.isOpenElsewhere() }) else { return }
        throw CommandError("\(path): another program has it open; stop the server first")
    }

    /// Runs the body, and prefixes an error's message with the ledger's path.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as LedgerUnavailable {
            throw CommandError("\(path): \(error.detail)")
        }
    }

    /// The same for an asynchronous body.
    func naming<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as LedgerUnavailable {
            throw CommandError("\(path): \(error.detail)")
        }
    }
}

extension SQLiteFile {
    /// Copies a ledger's file to a new one next to `place`, checks every page of the copy and its audit trail, and
    /// passes it to `body`. The copy is deleted afterwards if `body` did not rename it.
    ///
    /// - Parameter place: the copy is made in this file's folder, under its name with a suffix.
    /// - Throws: ``/ServerCore/CommandError`` that names the mismatch, and what `body` throws.
    func withCheckedCopy(
        beside place: String, isReadOnly: Bool, _ line: ProgressLine? = nil,
        _ body: (_ copy: String, TrailSummary) async throws -> Void
    ) async throws {
        let copy = "\(place).\(UUID().text)"
        // It holds receipts and keys. SQLite would create it readable by everybody on the machine.
        guard FileManager.default.createFile(atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CommandError("\(place): cannot be written: \(String(cString: strerror(errno)))")
        }
        FileOwner.inherit(fileAt: copy)
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(copy + suffix) } }
        do {
            try self.copy(to: copy, isReadOnly: isReadOnly) { done, total in
                line?.show(CommandProgress(verb: "copied", unit: .bytes, done: done, total: total))
            }
            line?.begin("checking every page of the copy")
            let ledger = try SQLiteFile(copy).check()
            let summary = try await CommandError.naming(path) {
                try await ledger.verifyTrail { line?.show(.verified(rows: $0)) }
            }
            line?.clear()
            try await body(copy, summary)
        } catch let error as LedgerUnavailable {
            throw CommandError("\(path): \(error.detail)")
        }
    }
}
