import InAppPurchase
import Ledger
import LedgerSQL
import PostgresSupport
import Synchronization
import Testing

@testable import LedgerPostgres

/// The server goes away and comes back.
@Suite struct OutageTests {
    @Test(arguments: [false, true])
    func `The connection works again after the database was stopped and started`(crashing: Bool) async throws {
        let base = try TestDatabase(on: try PostgresServer())
        let database = try base.open()
        try await database.set("a", 1)
        try base.server.stop(crashing: crashing)
        for _ in 0..<2 {
            await #expect(throws: LedgerUnavailable.self) { try await database.set("a", 2) }
            await #expect(throws: LedgerUnavailable.self) { try await database.number("a") }
        }
        try base.server.start()
        #expect(try await database.number("a") == 1)
        try await database.set("a", 3)
        #expect(try await database.number("a") == 3)
    }

    /// Between two transactions nobody notices.
    @Test func `Connections that ended between transactions are replaced unnoticed`() async throws {
        let base = try TestDatabase()
        let database = try base.open()
        for number in 1...3 {
            try await database.set("a", number)
            #expect(try await database.number("a") == number)
            try base.terminateConnections()
        }
    }

    /// Nothing of it was written, so it begins again.
    @Test func `A transaction whose connection ends is repeated`() async throws {
        let base = try TestDatabase()
        let database = try base.open()
        let runs = Atomic(0)
        try await database.write { transaction in
            let run = runs.add(1, ordering: .relaxed).newValue
            try transaction.set("a", (transaction.number("a") ?? 0) + 1)
            if run == 1 { try base.terminateConnections() }
            try transaction.set("runs", run)
        }
        #expect(try await database.number("a") == 1)
        #expect(try await database.number("runs") == 2)
    }

    /// A connection that ends every time: the server is as good as away.
    @Test func `A transaction whose connection always ends fails`() async throws {
        let base = try TestDatabase()
        let database = try base.open()
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                try base.terminateConnections()
                try transaction.set("a", 1)
            }
        }
        #expect(error?.detail.hasPrefix("PostgreSQL") == true)
        #expect(try await database.number("a") == nil)
    }

    /// Nobody knows whether it was written, so it is not repeated by itself.
    @Test func `A transaction whose commit got no answer is not repeated`() async throws {
        let base = try TestDatabase()
        let database = try base.open()
        let runs = Atomic(0)
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                runs.add(1, ordering: .relaxed)
                try transaction.set("a", 1)
                try base.terminateConnections()
            }
        }
        #expect(error?.detail.hasSuffix("whether it was written is not known") == true)
        #expect(runs.load(ordering: .relaxed) == 1)
        try await database.set("a", 2)
    }

    @Test(arguments: ["wrong", "sec%72et", "secret"])
    func `The error of a wrong password does not show it`(password: String) async throws {
        let server = try PostgresServer.shared.get()
        let database = try PostgresDatabase(url: server.urlByTCP(password: password), limits: .patient)
        let error = await #expect(throws: LedgerUnavailable.self) { try await database.read { _ in } }
        #expect(error?.detail.contains("password authentication failed") == true)
        #expect(["wrong", "secret", "sec%72et"].allSatisfy { error?.detail.contains($0) == false })
    }

    @Test func `The password in a database URL is used`() async throws {
        let server = try PostgresServer.shared.get()
        try await PostgresDatabase(url: server.urlByTCP(), limits: .patient).read { _ in }
        let words = "host=127.0.0.1 port=\(server.port) user=quartermaster password=correct dbname=postgres"
        try await PostgresDatabase(url: words, limits: .patient).read { _ in }
    }

    @Test(arguments: ["postgres://secret:secret@host:secret:1/x?y", "host='secret", "secret secret", "a=secret"])
    func `An invalid database URL is refused without showing it`(url: String) throws {
        let error = #expect(throws: LedgerUnavailable.self) { try PostgresDatabase(url: url) }
        #expect(error?.detail.contains("secret") == false)
    }
}
