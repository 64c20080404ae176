import CPostgres
import Ledger
package import LedgerSQL

/// The ledger's database in PostgreSQL, 13 or later, through libpq, 14 or later.
///
/// Transactions that write are serializable, also among several servers. The only session state is the names of
/// prepared statements, which it can do without, so that PgBouncer may be used (`pool_mode = transaction`). Connections
/// are opened when they are needed, also after the server was unavailable.
package struct PostgresDatabase: SQLDatabase {
    private let writers: ConnectionPool<PostgresWorker>
    private let readers: ConnectionPool<PostgresWorker>

    /// Does not connect yet.
    ///
    /// - Parameter url: a connection string of libpq, as a URL or as key words: its TLS modes, password files, services
    ///   and several hosts. It may set `connect_timeout`, `tcp_user_timeout` and `keepalives…`, which have shorter
    ///   defaults here.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if libpq cannot parse it. The error does not contain it, since it may
    ///   hold a password.
    package init(url: String, limits: PostgresLimits = PostgresLimits()) throws {
        guard Self.canRead(url) else { throw LedgerUnavailable("libpq cannot read the database's URL") }
        func pool(of count: Int) -> ConnectionPool<PostgresWorker> {
            let workers = (0..<count).map { _ in PostgresWorker(url: url, limits: limits) }
            return ConnectionPool(workers, queue: limits.queue, timeout: limits.timeout)
        }
        writers = pool(of: 1)
        readers = pool(of: max(1, limits.readers))
    }

    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await writers.withConnection { try await $0.transaction(.write, work) }
    }

    package func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await writers.withConnection { try await $0.transaction(.writeAlone, work) }
    }

    package func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await readers.withConnection { try await $0.transaction(.read, work) }
    }

    package func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await readers.withConnection { try await $0.select(statement, arguments) }
    }

    private static func canRead(_ url: String) -> Bool {
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(url, &message)
        PQconninfoFree(options)
        PQfreemem(message)
        return options != nil
    }
}
