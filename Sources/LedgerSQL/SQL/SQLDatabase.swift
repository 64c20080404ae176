/// A database of the ledger. Safe to use from many tasks at once; blocking work runs on threads of its own.
package protocol SQLDatabase: Sendable {
    /// Runs one transaction that may write, with serializable isolation. Durable when it returns.
    ///
    /// - Parameter work: is run again from its beginning after a serialization failure; what it throws rolls everything
    ///   back.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the database cannot be reached now.
    func write<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value

    /// Begins a transaction like that of ``write(_:)``, and returns at once.
    ///
    /// - Parameter then: is called with the result, which is durable, on a thread that it must not block.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void)

    /// Like ``write(_:)``, but excludes all other writers: all their writes are visible, and none is in progress.
    /// Needed where a row must not become visible after one with a greater number.
    func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// Returns the space of deleted rows to the file system.
    func reclaimSpace() async throws

    /// Runs one read-only transaction, in one snapshot.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value

    /// Runs one statement that reads, which needs no transaction around it.
    func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow]
}

extension SQLDatabase {
    /// Runs it in a transaction.
    package func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await read { try $0.all(statement, arguments) }
    }

    /// Runs it in a task of its own, which is detached: the caller's cancellation is not that of the transaction.
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        Task.detached {
            do { then(.success(try await write(work))) } catch { then(.failure(error)) }
        }
    }

    /// Does nothing: the database reuses the space by itself.
    package func reclaimSpace() async throws {}

    /// The same as ``write(_:)``: correct for databases with a single writer.
    package func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value { try await write(work) }
}

package typealias SQLArguments = [(any SQLConvertible)?]

/// A statement with rows, and its arguments.
package typealias SQLQuestion = (statement: SQLStatement, arguments: SQLArguments)
