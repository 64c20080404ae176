/// One open transaction, on the thread of its connection.
package protocol SQLTransaction {
    var dialect: SQLDialect { get }

    /// Runs a statement that is prepared once per connection. Placeholders are `?`, or `?1`, `?2`… if one is used
    /// twice; not both in one statement.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ arguments: SQLArguments) throws -> Int

    /// Runs a statement whose row count is not needed, in order: later statements of the transaction see its effect.
    /// The database may batch several into one round trip.
    ///
    /// - Throws: an error of the statement. It may be thrown later: by a later statement of the transaction, or at the
    ///   latest by the end of the savepoint, of an enclosing one, or of the transaction, none of which then succeeds.
    func send(_ sql: String, _ arguments: SQLArguments) throws

    /// Calls `body` for each row of the result, without holding a large result in memory. `body` runs no other
    /// statement of the transaction.
    func each(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws

    /// Runs `body` in a savepoint. If it throws, its changes are rolled back, and nothing else.
    ///
    /// - Throws: what `body` throws; an error of the database as ``InAppPurchase/LedgerUnavailable``. If the error
    ///   ended the whole transaction, ``SQLDatabase/write(_:)`` does not commit, even if its work ignores the error.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value
}

extension SQLTransaction {
    /// Runs it at once: for databases without a round trip.
    package func send(_ sql: String, _ arguments: SQLArguments) throws { try run(sql, arguments) }

    package func all(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try each(sql, arguments) { rows.append($0) }
        return rows
    }

    /// The first row, if any; for statements that return at most a few.
    package func one(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
        try all(sql, arguments).first
    }
}
