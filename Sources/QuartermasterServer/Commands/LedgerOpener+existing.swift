import InAppPurchase

extension LedgerOpener {
    /// Opens a ledger that must be there already: a command that looks at one must not make an empty one.
    ///
    /// - Throws: ``CommandError`` that names the file.
    static func openExisting(_ path: String, handlers: [any ProductHandler.Type]) throws -> any Ledger {
        try open(path, handlers: handlers, mayBeNew: false)
    }
}

extension Settings {
    /// What messages call the ledger.
    var databaseName: String { LedgerOpener.name(of: database) }
}
