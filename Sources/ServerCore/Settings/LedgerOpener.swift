import Basics
import Foundation
package import InAppPurchase
package import Ledger
import LedgerPostgres
package import LedgerSQL
import LedgerSQLite
package import Logging
import ServerHTTP
import Synchronization

/// Opens the ledger that the settings name.
package enum LedgerOpener {
    /// - Parameters:
    ///   - mayBeNew: whether a missing ledger is created, as only `serve` and `simulator` do; for other commands a
    ///     wrong name would yield an empty ledger.
    ///   - logger: logs the migrations of a PostgreSQL ledger, which may take long, and that an SQLite log is not
    ///     written back.
    /// - Throws: ``CommandError`` that names the file.
    package static func open(
        _ path: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        logger: Logger = .standardError(.info), onCommit: @escaping CommitObserver = { _ in }
    ) throws -> any Ledger {
        do {
            if PostgresLedger.isURL(path) {
                return try PostgresLedger.open(
                    url: path, handlers: handlers, mayBeNew: mayBeNew, onMigration: { $0.log(to: logger) },
                    onCommit: onCommit)
            }
            guard mayBeNew || mayExist(path) else {
                // A folder on its way may be closed to this process.
                let cause = LocalUser.current.hindrance(at: path, orMissing: false) ?? "there is no ledger"
                throw CommandError("\(whole(path)): \(cause)")
            }
            // It holds receipts and keys. SQLite would create it readable by everybody on the machine.
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
                FileOwner.inherit(fileAt: path)
            }
            let checkpoints = CheckpointLog(logger)
            return try SQLiteLedger.open(
                path: path, handlers: handlers, mayBeNew: mayBeNew, onCommit: onCommit,
                onCheckpoint: { checkpoints.ended($0) })
        } catch let error as LedgerUnavailable {
            // SQLite says that it cannot, and not why.
            let cause = PostgresLedger.isURL(path) ? nil : LocalUser.current.hindrance(at: path, writing: true)
            throw CommandError(
                "\(name(of: path)): the ledger cannot be opened: \(error.detail)" + (cause.map { "; \($0)" } ?? ""))
        }
    }

    /// Opens an existing ledger: a command that reads one must not create an empty one.
    ///
    /// - Throws: ``CommandError`` that names the file.
    package static func openExisting(_ path: String, handlers: [any ProductHandler.Type]) throws -> any Ledger {
        try open(path, handlers: handlers, mayBeNew: false)
    }

    /// The migrations that were run on an existing ledger, and that there are. Nothing is migrated.
    ///
    /// - Throws: ``CommandError`` that names the file.
    package static func migrations(of path: String) throws -> LedgerMigrations {
        guard mayExist(path) else { throw CommandError("\(whole(path)): there is no ledger") }
        do {
            return try PostgresLedger.isURL(path)
                ? PostgresLedger.migrations(url: path) : SQLiteFile(path).migrations()
        } catch let error as LedgerUnavailable {
            throw CommandError("\(name(of: path)): the ledger cannot be opened: \(error.detail)")
        }
    }

    /// Whether there may be a ledger: a file, or a database, which only an attempt to open it tells.
    package static func mayExist(_ path: String) -> Bool {
        PostgresLedger.isURL(path) || FileManager.default.fileExists(atPath: path)
    }

    /// The absolute path, since the name can be right and the folder wrong.
    package static func whole(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The name of a ledger in messages. The URL of a database may contain a password.
    package static func name(of path: String) -> String { PostgresLedger.isURL(path) ? "PostgreSQL" : path }
}

extension Settings {
    /// The ledger's name in messages.
    package var databaseName: String { LedgerOpener.name(of: database) }
}

extension MigrationStep {
    fileprivate func log(to logger: Logger) {
        let message: Logger.Message = isDone ? "migrated the ledger's tables" : "migrating the ledger's tables"
        logger.info(message, metadata: ["migration": "\(number)"])
    }
}

/// Logs that an SQLite ledger's write-ahead log is not written back into its file, once until it is: the log then
/// grows, and nobody would notice before the disk is full.
final class CheckpointLog: Sendable {
    /// The number of pages in the log from which on a reader that holds them up is reported: 256 MiB. An export of some
    /// seconds is not worth a line.
    static let maximumPages = 65_536

    private let logger: Logger
    private let isReported = Mutex(false)

    init(_ logger: Logger) { self.logger = logger }

    func ended(_ checkpoint: LogCheckpoint) {
        let isWrong =
            checkpoint.trouble != nil
            || (checkpoint.writtenBack < checkpoint.pages && checkpoint.pages > Self.maximumPages)
        let isNew = isReported.withLock { isReported in
            // A checkpoint that a reader held up a little proves neither.
            guard isWrong || checkpoint.writtenBack >= checkpoint.pages else { return false }
            defer { isReported = isWrong }
            return isReported != isWrong
        }
        guard isNew else { return }
        guard isWrong else { return logger.info("the ledger's log is written back into its file again") }
        logger.warning(
            "the ledger's log is not written back into its file",
            metadata: [
                "pages": "\(checkpoint.pages)", "written-back": "\(checkpoint.writtenBack)",
                "error": "\(checkpoint.trouble ?? "a reader holds it up")",
            ])
    }
}
