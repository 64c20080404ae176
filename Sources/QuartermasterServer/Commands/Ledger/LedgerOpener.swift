import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import Logging

/// Opens the ledger that the settings name.
enum LedgerOpener {
    /// - Parameters:
    ///   - mayBeNew: whether a missing ledger is created, as only `serve` and `simulator` do; for other commands a
    ///     wrong name would yield an empty ledger.
    ///   - logger: logs the migrations of a PostgreSQL ledger, which may take long, and that an SQLite log is not
    ///     written back.
    /// - Throws: ``CommandError`` that names the file.
    static func open(
        _ path: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        logger: Logger = .standardError(.info),
        onCommit: @escaping CommitObserver = { _ in }
    ) throws -> any Ledger {
        do {
            if PostgresLedger.isURL(path) {
                return try PostgresLedger.open(
                    url: path, handlers: handlers, mayBeNew: mayBeNew, onMigration: { $0.log(to: logger) },
                    onCommit: onCommit)
            }
            guard mayBeNew || FileManager.default.fileExists(atPath: path) else {
                throw CommandError("\(whole(path)): there is no ledger")
            }
            // It holds receipts and keys. SQLite would create it readable by everybody on the machine.
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            let checkpoints = CheckpointLog(logger)
            return try SQLiteLedger.open(
                path: path, handlers: handlers, mayBeNew: mayBeNew, onCommit: onCommit,
                onCheckpoint: { checkpoints.ended($0) })
        } catch let error as LedgerUnavailable {
            throw CommandError("\(name(of: path)): the ledger cannot be opened: \(error.detail)")
        }
    }

    /// The absolute path, since the name can be right and the folder wrong.
    static func whole(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The name of a ledger in messages. The URL of a database may contain a password.
    static func name(of path: String) -> String { PostgresLedger.isURL(path) ? "PostgreSQL" : path }
}

extension MigrationStep {
    fileprivate func log(to logger: Logger) {
        let message: Logger.Message = isDone ? "migrated the ledger's tables" : "migrating the ledger's tables"
        logger.info(message, metadata: ["migration": "\(number)"])
    }
}
