import InAppPurchase
import LedgerSQL

/// One open transaction.
final class PostgresTransaction: SQLTransaction {
    private let connection: PostgresConnection
    private let timeout: Duration
    private var depth = 0
    /// What ended the whole transaction, whatever became of the error that told of it.
    private(set) var end: PostgresFailure?

    init(_ connection: PostgresConnection, timeout: Duration) {
        (self.connection, self.timeout) = (connection, timeout)
    }

    var dialect: SQLDialect { .postgres }

    @discardableResult
    func run(_ sql: String, _ arguments: SQLArguments) throws -> Int {
        try translating { try connection.run(sql, arguments, timeout: timeout) }
    }

    func each(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
        try translating { try connection.each(sql, arguments, timeout: timeout, body) }
    }

    /// Runs statements without arguments.
    func script(_ sql: String) throws {
        try translating { _ = try connection.execute(sql, timeout: timeout) }
    }

    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        let name = "savepoint\(depth)"
        try script("SAVEPOINT \(name)")
        do {
            let value = try body()
            try script("RELEASE SAVEPOINT \(name)")
            return value
        } catch {
            // Where this fails the transaction is at its end, which is remembered.
            try? script("ROLLBACK TO SAVEPOINT \(name); RELEASE SAVEPOINT \(name)")
            throw error
        }
    }

    /// - Throws: ``LedgerUnavailable`` for what went wrong in PostgreSQL.
    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        if let end { throw LedgerUnavailable(end) }
        do { return try body() } catch let failure as PostgresFailure {
            if failure.remedy != .none { end = failure }
            throw LedgerUnavailable(failure)
        }
    }
}
