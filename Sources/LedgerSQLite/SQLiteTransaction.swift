import GRDB
import GRDBSQLite
import Ledger
import LedgerSQL

/// A transaction on one connection. Its statements are bound straight to SQLite's: GRDB's own binding and rows cost
/// more than most of the statements.
struct SQLiteTransaction: SQLTransaction {
    let db: Database
    let statements: SQLiteStatements

    /// - Parameter statements: those of the connection; without them, the transaction prepares its own.
    init(db: Database, statements: SQLiteStatements = SQLiteStatements()) {
        self.db = db
        self.statements = statements
    }

    var dialect: SQLDialect { .sqlite }

    func run(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> Int {
        try statements.prepared(statement, in: db).run(arguments)
        return db.changesCount
    }

    func send(_ statement: SQLStatement, _ arguments: SQLArguments) throws {
        try statements.prepared(statement, in: db).run(arguments)
    }

    func send(_ statement: SQLStatement, values: [SQLValue]) throws {
        try statements.prepared(statement, in: db).run(values: values)
    }

    func each(_ statement: SQLStatement, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
        try statements.prepared(statement, in: db).run(arguments, body)
    }

    /// Runs `body` in a savepoint. If an error ends the whole transaction, as a full disk may, there is none to set a
    /// savepoint in: SQLite would begin a new transaction.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try translatingErrors {
            try requireTransaction()
            _ = try run(Self.savepoint, [])
            let value: Value
            do {
                value = try body()
                try requireTransaction()
            } catch {
                try rollBackSavepoint()
                throw error
            }
            _ = try run(Self.release, [])
            return value
        }
    }

    /// Runs `body` between the two statements. If it throws, everything is rolled back.
    ///
    /// - Throws: also if an error ended the transaction and `body` ignored it.
    func transaction<Value>(_ beginning: SQLStatement, _ body: (Self) throws -> Value) throws -> Value {
        _ = try run(beginning, [])
        do {
            let value = try body(self)
            try requireTransaction()
            _ = try run(Self.commit, [])
            return value
        } catch {
            // Twice, since the interruption of a cancelled read may hit the first.
            for _ in 0..<2 where db.isInsideTransaction { _ = try? run(Self.rollback, []) }
            throw error
        }
    }

    private func requireTransaction() throws {
        guard db.isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was aborted")
        }
    }

    /// Does nothing after an error that ended the whole transaction.
    private func rollBackSavepoint() throws {
        guard db.isInsideTransaction else { return }
        _ = try run(Self.rollbackToSavepoint, [])
        _ = try run(Self.release, [])
    }

    /// Begins a transaction that may write, which excludes other writers at once.
    static let beginImmediate = SQLStatement(constant: "BEGIN IMMEDIATE")
    /// Begins a transaction that reads; its snapshot is that of its first statement.
    static let beginDeferred = SQLStatement(constant: "BEGIN DEFERRED")
    private static let commit = SQLStatement(constant: "COMMIT")
    private static let rollback = SQLStatement(constant: "ROLLBACK")
    // One name for all: SQLite releases the innermost of them.
    private static let savepoint = SQLStatement(constant: "SAVEPOINT quartermaster")
    private static let release = SQLStatement(constant: "RELEASE SAVEPOINT quartermaster")
    private static let rollbackToSavepoint = SQLStatement(constant: "ROLLBACK TO SAVEPOINT quartermaster")
}
