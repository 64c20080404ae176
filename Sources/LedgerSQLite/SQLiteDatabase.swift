import Foundation
import GRDB
import Ledger
import LedgerSQL

/// SQLite through GRDB: one writer at a time, concurrent readers.
struct SQLiteDatabase: SQLDatabase {
    // Before the connection, so that its statements are released first.
    private let statements: SQLiteStatements
    /// The connections that read; `nil` if the writer's reads too, as it must in memory.
    private let readers: SQLiteReaders?
    /// The queue of single statements, with a connection of its own: whoever looks up a session does not wait for
    /// exports and reports.
    private let selects: SelectQueue?
    private let checkpoints: SQLiteCheckpoints?
    let writer: any DatabaseWriter

    /// - Parameters:
    ///   - path: of the file, which is then read on other connections; `nil` if all use the writer's.
    ///   - onCheckpoint: called with the end of each checkpoint.
    init(writer: any DatabaseWriter, path: String? = nil, onCheckpoint: @escaping CheckpointObserver = { _ in }) {
        let statements = SQLiteStatements()
        self.statements = statements
        self.writer = writer
        readers = path.map { SQLiteReaders(path: $0) }
        selects = path.map { SelectQueue(SQLiteReader(path: $0)) }
        checkpoints = path.map { SQLiteCheckpoints(of: writer, statements, path: $0, onCheckpoint: onCheckpoint) }
    }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await translatingErrors {
            try await writer.writeWithoutTransaction { try commit(work, on: $0) }
        }
    }

    /// Runs it without a task, which would change from the caller's thread to one of Swift's pool, from that to the
    /// writer's, and back.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        writer.asyncWriteWithoutTransaction { db in then(Result { try translatingErrors { try commit(work, on: db) } })
        }
    }

    private func commit<Value>(_ work: (any SQLTransaction) throws -> Value, on db: Database) throws -> Value {
        let value = try SQLiteTransaction(db: db, statements: statements)
            .transaction(SQLiteTransaction.beginImmediate, work)
        checkpoints?.committed(db)
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value {
        try await translatingErrors {
            guard let readers else {
                // Not by `writer.read`: its `PRAGMA query_only` has SQLite prepare every statement again.
                return try await writer.writeWithoutTransaction { [statements] db in
                    try SQLiteTransaction(db: db, statements: statements)
                        .transaction(SQLiteTransaction.beginDeferred, work)
                }
            }
            return try await readers.read { try $0.transaction(SQLiteTransaction.beginDeferred, work) }
        }
    }

    func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        guard let selects else { return try await read { try $0.all(statement, arguments) } }
        return try await translatingErrors { try await selects.select(statement, arguments) }
    }

    /// Writes the whole file anew, without what is free in it; others cannot write meanwhile.
    func reclaimSpace() async throws { try await translatingErrors { try await writer.vacuum() } }

    /// Closes its connections, none of which may be in use. Their statements are finalized before: SQLite does not
    /// close a connection that has any.
    func close() throws {
        writer.writeWithoutTransaction { [statements] _ in statements.removeAll() }
        try readers?.close()
        try selects?.close()
        try writer.close()
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
        let isDamaged = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        let detail = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
        self.init(isDamaged ? "\(detail); \(Self.restoreAdvice)" : detail)
    }

    /// The advice for a ledger's file that is damaged.
    static let restoreAdvice = "if it is the ledger's file, restore a backup: quartermaster ledger restore BACKUP"
}
