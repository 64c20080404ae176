/// One open transaction, on the thread of its connection.
package protocol SQLTransaction {
    var dialect: SQLDialect { get }

    /// Runs a statement that is prepared once per connection. Placeholders are `?`, or `?1`, `?2`… if one is used
    /// twice; not both in one statement.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> Int

    /// Runs a statement whose row count is not needed, in order: later statements of the transaction see its effect.
    /// The database may batch several into one round trip.
    ///
    /// - Throws: an error of the statement. It may be thrown later: by a later statement of the transaction, or at the
    ///   latest by the end of the savepoint, of an enclosing one, or of the transaction, none of which then succeeds.
    func send(_ statement: SQLStatement, _ arguments: SQLArguments) throws

    /// Like ``send(_:_:)``, with arguments that are values already, as each receipt writes them: taking a
    /// value out of an existential costs more than binding it.
    func send(_ statement: SQLStatement, values: [SQLValue]) throws

    /// Calls `body` for each row of the result, without holding a large result in memory. `body` runs no other
    /// statement of the transaction.
    func each(_ statement: SQLStatement, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws

    /// Runs statements whose rows are all needed, in order. The database may run them in one round trip.
    ///
    /// - Returns: the rows of each.
    func all(_ questions: [SQLQuestion]) throws -> [[SQLRow]]

    /// Runs `body` in a savepoint. If it throws, its changes are rolled back, and nothing else.
    ///
    /// - Throws: what `body` throws; an error of the database as ``/Ledger/LedgerUnavailable``. If the error
    ///   ended the whole transaction, ``SQLDatabase/write(_:)`` does not commit, even if its work ignores the error.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value
}

extension SQLTransaction {
    /// Runs them one after the other: for databases without a round trip.
    package func all(_ questions: [SQLQuestion]) throws -> [[SQLRow]] {
        try questions.map { try all($0.statement, $0.arguments) }
    }

    /// Sends it with the values as any arguments.
    package func send(_ statement: SQLStatement, values: [SQLValue]) throws {
        try send(statement, values as SQLArguments)
    }

    package func all(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try each(statement, arguments) { rows.append($0) }
        return rows
    }

    /// The first row, if any; for statements that return at most a few.
    package func one(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> SQLRow? {
        try all(statement, arguments).first
    }
}
