import Ledger
import LedgerSQL

/// One open transaction.
final class PostgresTransaction: SQLTransaction {
    private let connection: PostgresConnection
    private let kind: TransactionKind
    private let limits: PostgresLimits
    private let timeout: Duration
    private var depth = 0
    /// The failure that ended the whole transaction, even if its error was caught.
    private(set) var end: PostgresError?

    init(_ connection: PostgresConnection, _ kind: TransactionKind, _ limits: PostgresLimits) {
        self.connection = connection
        self.kind = kind
        self.limits = limits
        timeout = kind.answerTime(limits)
    }

    var dialect: SQLDialect { .postgres }

    /// Queues the beginning, which runs with the first statement, or runs it now if other writers are to be excluded.
    func begin() throws {
        try translating {
            for statement in kind.begin(limits) { try connection.queue(statement, for: .beginning) }
            if kind.beginsAtOnce { try connection.flush(timeout: timeout) }
        }
    }

    /// Sends the queued statements if none was sent yet: a connection that was lost while idle is then detected before
    /// the commit, whose outcome would otherwise be unknown.
    func requireBegun() throws {
        try translating { if connection.awaits(.beginning) { try connection.flush(timeout: timeout) } }
    }

    @discardableResult
    func run(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> Int {
        try translating { try connection.ask(statement.text(in: .postgres), arguments, timeout: timeout).changed }
    }

    func send(_ statement: SQLStatement, _ arguments: SQLArguments) throws {
        try translating {
            try connection.queue(statement.text(in: .postgres), arguments)
            if connection.isFull { try connection.flush(timeout: timeout) }
        }
    }

    func each(_ statement: SQLStatement, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
        try translating { try connection.each(statement.text(in: .postgres), arguments, timeout: timeout, body) }
    }

    func all(_ questions: [SQLQuestion]) throws -> [[SQLRow]] {
        guard !questions.isEmpty else { return [] }
        return try translating {
            for question in questions {
                try connection.queue(question.statement.text(in: .postgres), question.arguments)
            }
            return try connection.results(ofLast: questions.count, timeout: timeout).map { try $0.rows }
        }
    }

    /// Runs one statement, and ends the transaction, in one round trip. Nothing else may be run in it.
    func allAndCommit(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> [SQLRow] {
        try translating {
            try connection.queue(statement.text(in: .postgres), arguments)
            try connection.queue("COMMIT", isNamed: false)
            return try connection.results(ofLast: 2, timeout: timeout).first?.rows ?? []
        }
    }

    /// Runs statements without arguments.
    func script(_ sql: String) throws { try translating { try connection.execute(sql, timeout: timeout) } }

    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        // Earlier statements are not the savepoint's to roll back, nor are their failures its own.
        try translating { if connection.awaits(.work) { try connection.flush(timeout: timeout) } }
        depth += 1
        defer { depth -= 1 }
        let (name, mark) = ("savepoint\(depth)", connection.mark)
        try translating { try connection.queue("SAVEPOINT \(name)", for: .mark) }
        do {
            let value = try body()
            _ = try translating { try connection.ask("RELEASE SAVEPOINT \(name)", timeout: timeout) }
            return value
        } catch {
            // If this fails, the transaction has ended, and the server reports it.
            if !connection.forget(after: mark) { try? rollBack(to: name) }
            throw error
        }
    }

    private func rollBack(to name: String) throws {
        try translating {
            try connection.queue("ROLLBACK TO SAVEPOINT \(name)", for: .mark)
            _ = try connection.ask("RELEASE SAVEPOINT \(name)", timeout: timeout)
        }
    }

    /// - Throws: ``/Ledger/LedgerUnavailable`` for failures of PostgreSQL.
    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        if let end { throw LedgerUnavailable(end) }
        do { return try body() } catch let failure as PostgresError {
            if failure.remedy(isAlone: kind.isAlone) != .none || failure.place == .beginning { end = failure }
            throw LedgerUnavailable(failure)
        }
    }
}
