import GRDB
import Synchronization

/// A connection that reads a ledger's file beside its writer, opened when it is first used.
///
/// Unlike those of GRDB's pool it keeps what it prepared, including the beginning and the end of a transaction, and
/// does not ask for the version of the schema before each use.
final class SQLiteReader: Sendable {
    private let path: String
    private let statements = SQLiteStatements()
    private let queue = Mutex<DatabaseQueue?>(nil)

    init(path: String) { self.path = path }

    /// Runs `work` without a transaction.
    func read<Value: Sendable>(_ work: @escaping @Sendable (SQLiteTransaction) throws -> Value) async throws -> Value {
        try await opened().unsafeRead { [statements] db in try work(SQLiteTransaction(db: db, statements: statements)) }
    }

    /// The same on the caller's thread, which waits for the connection and the disk.
    func readBlocking<Value>(_ work: (SQLiteTransaction) throws -> Value) throws -> Value {
        try opened().unsafeRead { db in try work(SQLiteTransaction(db: db, statements: statements)) }
    }

    /// Closes the connection, which must not be in use. The next use opens it again.
    func close() throws {
        try queue.withLock { queue in
            queue?.unsafeRead { [statements] _ in statements.removeAll() }
            try queue?.close()
            queue = nil
        }
    }

    private func opened() throws -> DatabaseQueue {
        try queue.withLock { queue in
            if let queue { return queue }
            var configuration = SQLiteLedger.configuration
            configuration.readonly = true
            let opened = try DatabaseQueue(path: path, configuration: configuration)
            queue = opened
            return opened
        }
    }
}
