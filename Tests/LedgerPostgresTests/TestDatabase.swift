import Foundation
import InAppPurchase
import LedgerSQL
import PostgresSupport

@testable import LedgerPostgres

/// A database of one test, with the table that writers lock and a table of numbers.
struct TestDatabase {
    let server: PostgresServer
    let name: String

    init(on server: PostgresServer? = nil) throws {
        self.server = try server ?? PostgresServer.shared.get()
        name = try self.server.newDatabase()
        try self.server.execute(
            """
            CREATE TABLE \(TransactionKind.lockTable) ();
            CREATE TABLE numbers (name TEXT COLLATE "C" PRIMARY KEY, number BIGINT NOT NULL);
            CREATE TABLE kept (id BIGINT PRIMARY KEY, number BIGINT, words TEXT COLLATE "C", bytes BYTEA);
            """, in: name)
    }

    func open(_ change: (inout PostgresLimits) -> Void = { _ in }) throws -> PostgresDatabase {
        var limits = PostgresLimits.patient
        change(&limits)
        return try PostgresDatabase(url: server.url(name), limits: limits)
    }

    /// Ends the processes that serve this database, except the one that is asked.
    func terminateConnections() throws {
        try server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
    }
}

extension PostgresDatabase {
    func set(_ name: String, _ number: Int) async throws { try await write { try $0.set(name, number) } }

    func number(_ name: String) async throws -> Int? { try await read { try $0.number(name) } }
}

extension SQLTransaction {
    func set(_ name: String, _ number: Int) throws {
        try run(
            """
            INSERT INTO numbers (name, number) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET number = excluded.number
            """, [name, number])
    }

    func number(_ name: String) throws -> Int? {
        try one("SELECT number FROM numbers WHERE name = ?", [name])?.decode("number")
    }

    /// Fails with a state of the test's choice.
    func fail(_ state: String) throws { try run("DO 'BEGIN RAISE SQLSTATE ''\(state)''; END'", []) }

    /// Fails if there is one of this name.
    func put(_ name: String, _ number: Int) throws {
        try send("INSERT INTO numbers (name, number) VALUES (?, ?)", [name, number])
    }

    /// Fails with a state of the test's choice, when it is run.
    func sendFailure(_ state: String) throws { try send("DO 'BEGIN RAISE SQLSTATE ''\(state)''; END'", []) }
}
