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
