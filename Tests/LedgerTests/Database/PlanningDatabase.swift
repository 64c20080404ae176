import Ledger
import Synchronization

@testable import LedgerSQL

/// A database that asks PostgreSQL for the plan of each query before it runs it, with the same arguments.
struct PlanningDatabase: SQLDatabase {
    /// The lines of plans that read a whole table, each with a query that has one.
    final class Scans: Sendable {
        let found = Mutex<[String: String]>([:])
        let queries = Mutex<Set<String>>([])
    }

    let base: any SQLDatabase
    let scans = Scans()

    init(_ base: any SQLDatabase) { self.base = base }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await base.write { [scans] in try work(Transaction(base: $0, scans: scans)) }
    }

    func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await base.writeAlone { [scans] in try work(Transaction(base: $0, scans: scans)) }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value {
        try await base.read { [scans] in try work(Transaction(base: $0, scans: scans)) }
    }

    struct Transaction: SQLTransaction {
        let base: any SQLTransaction
        let scans: Scans

        var dialect: SQLDialect { base.dialect }

        func run(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> Int {
            try base.run(statement, arguments)
        }

        func send(_ statement: SQLStatement, _ arguments: SQLArguments) throws { try base.send(statement, arguments) }

        func each(_ statement: SQLStatement, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
            let sql = statement.text(in: dialect)
            if ["SELECT", "WITH"].contains(where: sql.hasPrefix) { try plan(sql, arguments) }
            try base.each(statement, arguments, body)
        }

        private func plan(_ query: String, _ arguments: SQLArguments) throws {
            scans.queries.withLock { _ = $0.insert(query) }
            for row in try base.all("EXPLAIN \(query)", arguments) {
                guard case .text(let line)? = row.values.first, let scan = line.firstMatch(of: #/Seq Scan on (\w+)/#)
                else { continue }
                scans.found.withLock { $0[String(scan.output.1)] = query }
            }
        }

        func savepoint<Value>(_ body: () throws -> Value) throws -> Value { try base.savepoint(body) }
    }
}
