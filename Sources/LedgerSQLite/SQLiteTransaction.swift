import GRDB
import Ledger
import LedgerSQL

struct SQLiteTransaction: SQLTransaction {
    let db: Database

    var dialect: SQLDialect { .sqlite }

    func run(_ sql: String, _ arguments: SQLArguments) throws -> Int {
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
        return db.changesCount
    }

    func each(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
        let statement = try db.cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
        let columns = statement.columnNames
        while let row = try rows.next() {
            try body(SQLRow(columns: columns, values: columns.indices.map { try SQLValue(row[$0] as DatabaseValue) }))
        }
    }

    /// Runs `body` in a savepoint. If an error ends the whole transaction, as a full disk may, GRDB has none to commit
    /// and throws; without this check it would begin a new one for the next savepoint.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try translatingErrors {
            guard db.isInsideTransaction else {
                throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was aborted")
            }
            var value: Value?
            try db.inSavepoint {
                value = try body()
                return .commit
            }
            guard let value else { throw LedgerUnavailable("a savepoint did not run") }
            return value
        }
    }
}

extension StatementArguments {
    fileprivate init(_ arguments: SQLArguments) {
        // As existential optionals: for a concrete type GRDB uses a key path, which costs more than the statement.
        self.init(arguments.map { DatabaseValue($0?.sqlValue ?? .null) as (any DatabaseValueConvertible)? })
    }
}
