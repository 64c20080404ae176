import Ledger

/// The columns of a table, as the database reports them.
struct TableShape: Sendable {
    struct Column: Sendable {
        var name: String
        var isText: Bool
    }

    let table: LedgerTable
    let columns: [Column]

    /// - Throws: ``/Ledger/LedgerUnavailable`` if there is no such table.
    init(_ table: LedgerTable, in transaction: any SQLTransaction) throws {
        self.table = table
        columns = try transaction.all(transaction.dialect.columnsOfTable, [table.name]).map { row in
            let type: String = try row["type"]
            return Column(name: try row["name"], isText: type.lowercased() == "text")
        }
        let lacking = table.key.filter { key in !columns.contains { $0.name.lowercased() == key.lowercased() } }
        guard lacking.isEmpty else { throw LedgerUnavailable("the ledger has no table \(table.name), or another one") }
    }

    /// The columns' names in lower case, as PostgreSQL reports them.
    var names: Set<String> { Set(columns.map { $0.name.lowercased() }) }

    /// The values of the row's key.
    func key(of row: [SQLValue]) -> [SQLValue] {
        table.key.compactMap { key in columns.firstIndex { $0.name.lowercased() == key.lowercased() }.map { row[$0] } }
    }

    /// The list of a selection, in the order of ``columns``.
    func selected(_ dialect: SQLDialect) -> String {
        columns.map { $0.isText ? dialect.bytes(of: $0.name) : $0.name }.joined(separator: ", ")
    }

    /// The values of a row of ``selected(_:)``, its strings decoded.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if a string is not UTF-8, which no server writes.
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
