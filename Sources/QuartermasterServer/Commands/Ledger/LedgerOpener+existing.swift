import InAppPurchase
import Ledger

extension LedgerOpener {
    /// Opens an existing ledger: a command that reads one must not create an empty one.
    ///
    /// - Throws: ``CommandError`` that names the file.
    static func openExisting(_ path: String, handlers: [any ProductHandler.Type]) throws -> any Ledger {
        try open(path, handlers: handlers, mayBeNew: false)
    }
}

extension Settings {
    /// The ledger's name in messages.
    var databaseName: String { LedgerOpener.name(of: database) }
}
