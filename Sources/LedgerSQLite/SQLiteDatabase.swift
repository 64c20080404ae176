import Foundation
import GRDB
import Ledger
import LedgerSQL

/// SQLite through GRDB: one writer at a time, concurrent readers.
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

extension DatabaseValue {
    init(_ value: SQLValue) {
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
    init(_ value: DatabaseValue) throws {
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
    /// Leaves out the arguments of the statement: they may contain a receipt.
    init(_ error: DatabaseError) {
        self.init("SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")")
    }
}
