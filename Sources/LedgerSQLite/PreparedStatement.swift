import Foundation
import GRDB
import GRDBSQLite
import Ledger
import LedgerSQL

/// A prepared statement of one connection, bound and stepped through SQLite's own functions. For one thread at a time.
final class PreparedStatement {
    /// The size up to which the memory of the arguments is held for the next use, in bytes; a receipt may have 3 MiB.
    private static let heldMemory = 64 << 10

    private let statement: Statement
    private let parameters: Int
    private var columns: [String]
    /// The strings and blobs of the arguments, to which SQLite has pointers while the statement runs.
    private var memory: [UInt8] = []
    private var spans: [Span] = []
    private var isRunning = false

    /// A string or a blob in the memory.
    private struct Span {
        var index: Int32
        var offset: Int
        var count: Int
        var isText: Bool
    }

    init(_ sql: String, in db: Database) throws {
        statement = try db.makeStatement(sql: sql)
        parameters = Int(sqlite3_bind_parameter_count(statement.sqliteStatement))
        columns = Self.columns(of: statement.sqliteStatement)
    }

    private var raw: OpaquePointer { statement.sqliteStatement }

    /// Runs the statement to its end, and calls `body` with each row. Afterwards, also after an error, it is reset:
    /// otherwise its read transaction would stay open.
    ///
    /// - Throws: `DatabaseError`, and what `body` throws.
    func run(_ arguments: SQLArguments, _ body: (SQLRow) throws -> Void = { _ in }) throws {
        try run(
            binding: { bytes in
                try require(arguments: arguments.count)
                for (position, argument) in arguments.enumerated() {
                    try append(argument?.sqlValue ?? .null, at: position, to: &bytes)
                }
            }, body)
    }

    /// Like ``run(_:_:)``, for a statement without rows.
    func run(values: [SQLValue]) throws {
        try run(
            binding: { bytes in
                try require(arguments: values.count)
                for (position, value) in values.enumerated() { try append(value, at: position, to: &bytes) }
            }, { _ in })
    }

    private func run(binding: (inout [UInt8]) throws -> Void, _ body: (SQLRow) throws -> Void) throws {
        guard !isRunning else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the statement is running") }
        isRunning = true
        var bytes = memory
        memory = []
        defer {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.heldMemory)
            memory = bytes
            isRunning = false
        }
        spans.removeAll(keepingCapacity: true)
        // SQLite takes a null pointer for NULL, so that an empty string must have an address.
        bytes.append(0)
        try binding(&bytes)
        try bytes.withUnsafeBytes { bytes in
            defer {
                sqlite3_reset(raw)
                sqlite3_clear_bindings(raw)
            }
            for span in spans { try bind(span, in: bytes) }
            try step(body)
        }
    }

    private func step(_ body: (SQLRow) throws -> Void) throws {
        while true {
            switch sqlite3_step(raw) {
            case SQLITE_ROW: try body(try row())
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_errmsg(sqlite3_db_handle(raw)).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    private func require(_ code: Int32) throws { guard code == SQLITE_OK else { throw failure(code) } }
}

// MARK: Arguments

extension PreparedStatement {
    private func require(arguments count: Int) throws {
        guard count == parameters else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "a statement has \(count) arguments for \(parameters) places")
        }
    }

    /// Binds a number, or copies a string or blob into the memory.
    private func append(_ value: SQLValue, at position: Int, to bytes: inout [UInt8]) throws {
        let (index, offset) = (Int32(clamping: position &+ 1), bytes.count)
        var isText = false
        switch value {
        // Unbound places are NULL.
        case .null: return
        case .integer(let number): return try require(sqlite3_bind_int64(raw, index, Int64(number)))
        case .text(let text):
            StoredText.append(text, to: &bytes)
            isText = true
        case .blob(let data): data.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        spans.append(Span(index: index, offset: offset, count: bytes.count - offset, isText: isText))
    }

    private func bind(_ span: Span, in bytes: UnsafeRawBufferPointer) throws {
        let start = bytes.baseAddress?.advanced(by: min(span.offset, bytes.count - 1))
        // Without a destructor (SQLITE_STATIC), SQLite copies nothing.
        let code =
            span.isText
            ? sqlite3_bind_text64(
                raw, span.index, start?.assumingMemoryBound(to: CChar.self), UInt64(span.count), nil, UInt8(SQLITE_UTF8)
            ) : sqlite3_bind_blob64(raw, span.index, start, UInt64(span.count), nil)
        try require(code)
    }
}

// MARK: Rows

extension PreparedStatement {
    private func row() throws -> SQLRow {
        let count = sqlite3_column_count(raw)
        // Another process may have changed the tables, and SQLite prepared the statement again.
        if Int(count) != columns.count { columns = Self.columns(of: raw) }
        var values: [SQLValue] = []
        values.reserveCapacity(Int(count))
        for index in 0..<count { values.append(try value(index)) }
        return SQLRow(columns: columns, values: values)
    }

    private func value(_ index: Int32) throws -> SQLValue {
        switch sqlite3_column_type(raw, index) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(raw, index)))
        case SQLITE_TEXT:
            // Its number of bytes is asked for after its address, which may convert it.
            let start = sqlite3_column_text(raw, index)
            let count = Int(sqlite3_column_bytes(raw, index))
            return .text(StoredText.decode(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(raw, index) else { return .blob(Data()) }
            return .blob(Data(bytes: start, count: Int(sqlite3_column_bytes(raw, index))))
        default: throw LedgerUnavailable("a column of the ledger holds a fraction")
        }
    }

    private static func columns(of raw: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(raw)).map { sqlite3_column_name(raw, $0).map { String(cString: $0) } ?? "" }
    }
}
