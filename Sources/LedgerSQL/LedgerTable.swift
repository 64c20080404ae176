import InAppPurchase

/// A table of the ledger, whatever database it is in.
struct LedgerTable: Sendable {
    var name: String
    /// The columns that tell one row from all others, and that put rows in order.
    var key: [String]
    /// The column that the database fills with a number of its own.
    var numbered: String?

    init(_ name: String, by key: String..., numbered: String? = nil) {
        self.name = name
        self.key = key
        self.numbered = numbered
    }

    /// All of them, each after those that its rows name.
    static let all = [
        LedgerTable("accounts", by: "id"),
        LedgerTable("sessions", by: "token"),
        LedgerTable("adminTokens", by: "token"),
        LedgerTable("keyValues", by: "key"),
        LedgerTable("catalogRevisions", by: "number"),
        LedgerTable("terms", by: "hash"),
        LedgerTable("receipts", by: "id"),
        LedgerTable("receiptBytes", by: "subject", "kind", "day"),
        LedgerTable("receiptTransactions", by: "receipt", "app", "environment", "id"),
        LedgerTable("notifications", by: "id"),
        LedgerTable("consumptionRequests", by: "notification"),
        LedgerTable("lines", by: "app", "environment", "originalID"),
        LedgerTable("lineMoves", by: "app", "environment", "originalID", "position"),
        LedgerTable("transactions", by: "app", "environment", "id"),
        LedgerTable("unclaimedTransactions", by: "app", "environment", "id"),
        LedgerTable("provisionalPurchases", by: "app", "environment", "id"),
        LedgerTable("renewals", by: "app", "environment", "originalID"),
        LedgerTable("originalTransactionChecks", by: "app", "environment", "originalID"),
        LedgerTable("deliveries", by: "account", "app", "environment", "id"),
        LedgerTable("manifestDeliveries", by: "id"),
        LedgerTable("postings", by: "sequence", numbered: "sequence"),
        LedgerTable("balances", by: "account", "app", "environment", "currency"),
        LedgerTable("spends", by: "account", "app", "environment", "idempotencyKey"),
        LedgerTable("adjustments", by: "account", "app", "environment", "idempotencyKey"),
        LedgerTable("refunds", by: "account", "app", "environment", "id", "currency"),
        LedgerTable("audit", by: "sequence", numbered: "sequence"),
        LedgerTable("auditSeals", by: "position"),
        LedgerTable("auditCheckpoints", by: "position"),
    ]
}

/// The columns of a table, as its database tells them.
struct TableShape: Sendable {
    struct Column: Sendable {
        var name: String
        var isText: Bool
    }

    let table: LedgerTable
    let columns: [Column]

    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where there is no such table.
    init(_ table: LedgerTable, in transaction: any SQLTransaction) throws {
        self.table = table
        columns = try transaction.all(transaction.dialect.columnsOfTable, [table.name]).map { row in
            let type: String = try row["type"]
            return Column(name: try row["name"], isText: type.lowercased() == "text")
        }
        let lacking = table.key.filter { key in !columns.contains { $0.name.lowercased() == key.lowercased() } }
        guard lacking.isEmpty else { throw LedgerUnavailable("the ledger has no table \(table.name), or another one") }
    }

    /// PostgreSQL knows names in lower case only.
    var names: Set<String> { Set(columns.map { $0.name.lowercased() }) }

    /// What a row's key is.
    func key(of row: [SQLValue]) -> [SQLValue] {
        table.key.compactMap { key in
            columns.firstIndex { $0.name.lowercased() == key.lowercased() }.map { row[$0] }
        }
    }

    /// For a selection, in the order of ``columns``.
    func selected(_ dialect: SQLDialect) -> String {
        columns.map { $0.isText ? dialect.bytes(of: $0.name) : $0.name }.joined(separator: ", ")
    }

    /// A row of ``selected(_:)``, its texts as texts.
    ///
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where one is no UTF-8, which no server wrote.
    func values(of row: SQLRow) throws -> [SQLValue] {
        try zip(row.values, columns).map { value, column in
            guard column.isText, case .blob(let bytes) = value else { return value }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw LedgerUnavailable("\(table.name).\(column.name) holds a text that is no UTF-8")
            }
            return .text(text)
        }
    }
}
