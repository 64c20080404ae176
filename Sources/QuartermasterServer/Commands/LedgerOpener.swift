import Foundation
import InAppPurchase
import LedgerPostgres
import LedgerSQL
import LedgerSQLite

/// Opens the ledger that the settings name.
enum LedgerOpener {
    /// - Parameter mayBeNew: whether one is made where there is none, as only `serve` and `simulator` do; elsewhere a
    ///   wrong name would be answered by an empty ledger.
    /// - Throws: ``CommandError`` that names the file.
    static func open(
        _ path: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        onCommit: @escaping CommitObserver = { _ in }
    ) throws -> any Ledger {
        do {
            if PostgresLedger.isURL(path) {
                return try PostgresLedger.open(url: path, handlers: handlers, mayBeNew: mayBeNew, onCommit: onCommit)
            }
            guard mayBeNew || FileManager.default.fileExists(atPath: path) else {
                throw CommandError("\(whole(path)): there is no ledger")
            }
            // It holds receipts and keys. SQLite would let everybody on the machine read it.
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            return try SQLiteLedger.open(path: path, handlers: handlers, mayBeNew: mayBeNew, onCommit: onCommit)
        } catch let error as LedgerUnavailable {
            throw CommandError("\(name(of: path)): the ledger cannot be opened: \(error.detail)")
        }
    }

    /// The name with its folder: who looks for a ledger in the wrong folder has a right name.
    static func whole(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// What messages call a ledger. The URL of a database may hold a password.
    static func name(of path: String) -> String { PostgresLedger.isURL(path) ? "PostgreSQL" : path }
}
