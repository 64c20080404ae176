/// A database that the ledger is kept in. Safe to use from many tasks at once; blocking work is done on threads of its
/// own.
package protocol SQLDatabase: Sendable {
    /// Runs one transaction that may write; it sees no other's half-done work, as if they came one after the other.
    /// Durable when it returns.
    ///
    /// - Parameter work: is run again from its beginning where the database asks for that (a serialization failure); what
    ///   it throws rolls everything back.
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where the database cannot be asked now.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// As ``write(_:)``, while no other transaction writes: what others wrote is all to be seen, and none of it is on its
    /// way. For what must not pass by a row that becomes visible after one with a greater number.
    func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// Runs one transaction that only reads, in one snapshot.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value
}

extension SQLDatabase {
    /// The same as ``write(_:)``: right where there is one writer at a time anyway.
    package func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value { try await write(work) }
}

/// One open transaction, on the thread that has the connection.
package protocol SQLTransaction {
    var dialect: SQLDialect { get }

    /// Runs a statement that is prepared once per connection. Placeholders are `?`, or `?1`, `?2`… where one is used
    /// twice; not both in one statement.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ arguments: SQLArguments) throws -> Int

    /// Runs a statement whose count nobody needs, in its turn: what comes after it in the transaction sees it done. A
    /// database that is far away may be told of several together.
    ///
    /// - Throws: what is wrong with it, or a later statement of the transaction does, at the latest the end of the
    ///   savepoint, of an enclosing one, or of the transaction; none of these is a success then.
    func send(_ sql: String, _ arguments: SQLArguments) throws

    /// Calls `body` for each row of the result, without holding all of them in memory where the result is large. `body`
    /// runs no other statement of the transaction.
    func each(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws

    /// What `body` throws takes back what was done in it, and nothing else.
    ///
    /// - Throws: what `body` throws; an error of the database as ``InAppPurchase/LedgerUnavailable``. Where it ended the
    ///   whole transaction, ``SQLDatabase/write(_:)`` does not commit, whatever its work makes of the error.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value
}

extension SQLTransaction {
    /// Runs it at once: right where the database is at hand.
    package func send(_ sql: String, _ arguments: SQLArguments) throws { try run(sql, arguments) }

    package func all(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try each(sql, arguments) { rows.append($0) }
        return rows
    }

    /// The first row, if any; to be asked for statements that have at most a few.
    package func one(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
        try all(sql, arguments).first
    }
}

package typealias SQLArguments = [(any SQLConvertible)?]

/// Where databases need different words for the same.
package enum SQLDialect: Sendable { case sqlite, postgres }
