import InAppPurchase

extension Transaction.Key: RowKey {
    static var columns: String { "app, environment, id" }
    var arguments: SQLArguments { [app, environment.rawValue, id] }
}

extension TransactionID: RowKey {
    static var columns: String { "id" }
    var arguments: SQLArguments { [self] }
}

extension AccountID: RowKey {
    static var columns: String { "account" }
    var arguments: SQLArguments { [text] }
}

extension OriginalTransaction.Key: RowKey {
    static var columns: String { "app, environment, originalID" }
    var arguments: SQLArguments { [app, environment.rawValue, originalID] }
}

extension LedgerRows {
    /// Selects the rows of all keys, with one statement for many of them.
    ///
    /// - Parameter arguments: of the selection.
    func all<Key: RowKey>(
        of keys: some Collection<Key>, _ selection: KeyedSelection<Key>, _ arguments: SQLArguments = []
    ) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try selection.each(of: keys, arguments) { rows += try all($0, $1) }
        return rows
    }
}

extension SQLRow {
    func transactionKey() throws -> Transaction.Key {
        Transaction.Key(app: try self["app"], environment: try environment(), id: try self["id"])
    }

    /// The columns of a transaction besides its facts.
    func transactionColumns(originalID: String = "originalID") throws -> TransactionColumns {
        try TransactionColumns(
            app: self["app"], environment: environment(), id: self["id"], originalID: self[originalID],
            productID: self["product"], purchaseDate: date("purchasedAt"), expirationDate: dateIfAny("expiresAt"))
    }

    func originalTransactionKey() throws -> OriginalTransaction.Key {
        OriginalTransaction.Key(
            app: try self["app"], environment: try environment(), originalID: try self["originalID"])
    }
}
