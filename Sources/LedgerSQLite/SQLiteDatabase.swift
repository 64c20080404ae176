import Foundation
import GRDB
import InAppPurchase
import LedgerSQL

/// SQLite through GRDB: one writer at a time, readers beside it.
struct SQLiteDatabase: SQLDatabase {
    let writer: any DatabaseWriter

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await translatingErrors { try await writer.write { db in try work(SQLiteTransaction(db: db)) } }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await translatingErrors { try await writer.read { db in try work(SQLiteTransaction(db: db)) } }
    }
}

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

    /// An error that ends the whole transaction, as a full disk may, leaves GRDB without one to commit, and it says so.
    /// Before that it would begin another one for a savepoint.
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
        // As optionals of any type: for one type GRDB goes by a key path, which costs more than the statement.
        self.init(arguments.map { DatabaseValue($0?.sqlValue ?? .null) as (any DatabaseValueConvertible)? })
    }
}

extension DatabaseValue {
    fileprivate init(_ value: SQLValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): number.databaseValue
            case .text(let text): StoredText.encode(text).databaseValue
            case .blob(let data): data.databaseValue
            }
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) throws {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(Int(number))
        case .string(let text): self = .text(StoredText.decode(text))
        case .blob(let data): self = .blob(data)
        case .double: throw LedgerUnavailable("a column of the ledger holds a fraction")
        }
    }
}

func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as DatabaseError { throw LedgerUnavailable(error) }
}

func translatingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as DatabaseError { throw LedgerUnavailable(error) }
}

extension LedgerUnavailable {
    /// The arguments of the statement are left out: they may be a receipt.
    fileprivate init(_ error: DatabaseError) {
        self.init("SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")")
    }
}
