import AuditSeal
import Foundation
import InAppPurchase
import LedgerPostgres
import LedgerSQLite

/// The file of a ledger that a command works on as a whole.
struct LedgerFile {
    /// With every symbolic link on the way resolved: what is renamed is the file, and not a link to it.
    let path: String

    /// - Throws: ``CommandError`` where the ledger is in no file.
    init(_ settings: Settings) throws {
        guard !PostgresLedger.isURL(settings.database) else {
            throw CommandError(
                "PostgreSQL is backed up by pg_dump or pg_basebackup, and restored by pg_restore; see the README")
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

    /// - Throws: ``CommandError``
    func requireExists() throws {
        guard exists else { throw CommandError("\(LedgerOpener.whole(path)): there is no ledger") }
    }

    /// - Throws: ``CommandError`` where another process has the file open; see ``SQLiteFile/isOpenElsewhere()``.
    func requireUnused() throws {
        guard try naming({ try file.isOpenElsewhere() }) else { return }
        throw CommandError("\(path): another program has it open; stop the server first")
    }

    /// Puts the ledger's name before what is wrong.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as LedgerUnavailable {
            throw CommandError("\(path): \(error.detail)")
        }
    }

    /// The same for what takes its time.
    func naming<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as LedgerUnavailable {
            throw CommandError("\(path): \(error.detail)")
        }
    }
}

extension SQLiteFile {
    /// Copies a ledger's file into a new one beside another, checks the copy from page to page and its audit trail, and
    /// hands it on. It is gone afterwards, where nobody renamed it.
    ///
    /// - Parameter place: the file in whose folder, and under whose name with more after it, the copy is made.
    /// - Throws: ``CommandError`` that names what does not fit, and what `body` throws.
    func withCheckedCopy(
        beside place: String, isReadOnly: Bool, _ line: ProgressLine? = nil,
        _ body: (_ copy: String, TrailSummary) async throws -> Void
    ) async throws {
        let copy = "\(place).\(UUID().text)"
        // It holds receipts and keys. SQLite would let everybody on the machine read it.
        guard FileManager.default.createFile(atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CommandError("\(place): cannot be written: \(String(cString: strerror(errno)))")
        }
        defer {
            for suffix in ["", "-journal", "-wal", "-shm"] { unlink(copy + suffix) }
        }
        do {
            try self.copy(to: copy, isReadOnly: isReadOnly) { done, total in
                line?.show(CommandProgress(verb: "copied", unit: .bytes, done: done, total: total))
            }
            line?.begin("checking every page of the copy")
            let ledger = try SQLiteFile(copy).check()
            let summary = try await TrailFiles.naming(path) {
                try await ledger.verifyTrail { line?.show(.verified(rows: $0)) }
            }
            line?.clear()
            try await body(copy, summary)
        } catch let error as LedgerUnavailable {
            throw CommandError("\(path): \(error.detail)")
        }
    }
}
