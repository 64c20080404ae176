import Ledger
import Synchronization

@testable import LedgerSQL

/// A database that counts what is asked of it.
struct CountingDatabase: SQLDatabase {
    /// The statements that were run.
    final class Counts: Sendable {
        /// The statements, without those that begin and end a transaction.
        let statements = Mutex<[String]>([])
        /// How often a transaction waited for the database's answer, not counting its end.
        let waits = Mutex(0)
        /// The transactions that could write, which others wait for.
        let writes = Mutex(0)
        /// The rows that the database returned.
        let rows = Mutex(0)
    }

    let base: any SQLDatabase
    let counts = Counts()

    init(_ base: any SQLDatabase) { self.base = base }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        counts.writes.withLock { $0 += 1 }
        return try await base.write { [counts] in try work(Transaction(base: $0, counts: counts)) }
    }

    func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        counts.writes.withLock { $0 += 1 }
        return try await base.writeAlone { [counts] in try work(Transaction(base: $0, counts: counts)) }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value {
        try await base.read { [counts] in try work(Transaction(base: $0, counts: counts)) }
    }

    func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        counts.statements.withLock { $0.append(statement.text(in: .sqlite)) }
        counts.waits.withLock { $0 += 1 }
        return try await base.select(statement, arguments)
    }

    struct Transaction: SQLTransaction {
        let base: any SQLTransaction
        let counts: Counts

        var dialect: SQLDialect { base.dialect }

        private func count(_ statement: SQLStatement, waits: Bool) {
            counts.statements.withLock { $0.append(statement.text(in: dialect)) }
            if waits { counts.waits.withLock { $0 += 1 } }
        }

        func run(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> Int {
            count(statement, waits: true)
            return try base.run(statement, arguments)
        }

        func send(_ statement: SQLStatement, _ arguments: SQLArguments) throws {
            count(statement, waits: false)
            try base.send(statement, arguments)
        }

        func each(_ statement: SQLStatement, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
            count(statement, waits: true)
            try base.each(statement, arguments) { row in
                counts.rows.withLock { $0 += 1 }
                try body(row)
            }
        }

        func all(_ questions: [SQLQuestion]) throws -> [[SQLRow]] {
            for question in questions { count(question.statement, waits: false) }
            counts.waits.withLock { $0 += 1 }
            let answers = try base.all(questions)
            counts.rows.withLock { $0 += answers.reduce(0) { $0 + $1.count } }
            return answers
        }

        func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
            counts.waits.withLock { $0 += 1 }
            return try base.savepoint(body)
        }
    }
}
