import Basics
import Foundation
import InAppPurchase
import Ledger
import PostgresSupport
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import LedgerPostgres
@testable import LedgerSQL

/// The properties of a ledger to which several servers write.
@Suite struct PostgresTests {
    /// Several servers on one database.
    private func open(_ count: Int, on url: String? = nil) throws -> [SQLLedger] {
        let url = try url ?? PostgresServer.shared.get().newLedger()
        return try (0..<count).map { _ in
            try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient)
        }
    }

    /// A number that is drawn first and committed last must not be skipped.
    @Test func `The sealer waits for audit rows that are not committed yet`() async throws {
        let servers = try open(2)
        let hasNumber = AsyncStream<Void>.makeStream()
        async let slow: Void = servers[0].write { rows in
            try rows.run("INSERT INTO audit (at, kind, contentHash) VALUES (1, 'slow', ?)", [Data([1])])
            hasNumber.continuation.yield()
            _ = try rows.one("SELECT pg_sleep(0.5)", [])
        }
        for await _ in hasNumber.stream { break }
        _ = try await servers[1].write { rows in
            try rows.run("INSERT INTO audit (at, kind, contentHash) VALUES (2, 'fast', ?)", [Data([2])])
        }
        let sealed = try await servers[1].sealRows(atMost: 10, at: day(0)) { row, last in
            Seal(position: (last?.position ?? 0) + 1, sequence: row.sequence, hash: row.contentHash)
        }
        #expect(sealed == 2)
        let hashes = try await TestLedger(servers[1]).rows("SELECT hash FROM auditSeals ORDER BY position")
        #expect(hashes == ["1", "2"])
        try await slow
    }

    /// The server's default is to compile plans whose cost is high, which those of disabled kinds have.
    @Test func `PostgreSQL compiles no statement of a ledger`() async throws {
        let ledger = try #require(try open(1).first)
        let setting: @Sendable (LedgerRows) throws -> String? = { rows in
            try rows.one("SELECT current_setting('jit') AS jit", [])?["jit"]
        }
        #expect(try await ledger.read(setting) == "off")
        #expect(try await ledger.write(setting) == "off")
    }

    /// A server serves as a role that has what docs/operate/postgresql.md says, and nothing else.
    @Test func `The documented privileges of PostgreSQL are enough to serve`() async throws {
        let server = try PostgresServer.shared.get()
        let url = try server.newLedger()
        let database = String(try #require(url.firstMatch(of: /postgresql:\/\/\/(\w+)\?/)?.output.1))
        try server.execute("CREATE ROLE clerk_\(database) LOGIN", in: database)
        try server.execute(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO clerk_\(database)", in: database)
        try server.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO clerk_\(database)", in: database)
        let role = url.replacing("user=quartermaster", with: "user=clerk_\(database)")
        let ledger = TestLedger(try #require(try open(1, on: role).first))
        try await ledger.liveThroughEverything()
        _ = try await ledger.issueManifest("hard-words", on: day(91))
        _ = try await ledger.ledger.foldReportDays(at: today)
        #expect(try await ledger.rows("SELECT current_user") == ["clerk_\(database)"])
        #expect(try await ledger.differences() == [])
        let sql = try #require(ledger.ledger as? SQLLedger)
        await #expect(throws: (any Error).self) {
            try await sql.write { _ = try $0.db.run("UPDATE audit SET kind = 'x'", []) }
        }
    }

    @Test func `One receipt sent to several servers is delivered once`() async throws {
        let servers = try open(3).map(TestLedger.init)
        try await servers[0].join(1)
        try await withThrowingTaskGroup { group in
            for index in 0..<30 {
                group.addTask {
                    _ = try await servers[index % 3].record(receipt("a"), bought("starter", "1", token: 1))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await servers[2].rows("SELECT account, id FROM deliveries") == ["\(account(1).text) 1"])
        #expect(try await servers[2].rows("SELECT amount FROM balances") == ["3"])
    }

    /// Each due receipt goes to one worker.
    @Test func `Workers of several servers share the due receipts`() async throws {
        let servers = try open(4)
        try await TestLedger(servers[0]).join(1)
        for number in 0..<12 { _ = try await servers[0].enqueue(receipt("\(number)"), retryAt: today, at: today) }
        let taken = try await withThrowingTaskGroup { group in
            for server in servers {
                group.addTask {
                    try await server.dueReceipts(in: .receipts, limit: 3, lease: day(200), at: today).map(\.receipt.id)
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        let rest = try await servers[0].dueReceipts(in: .receipts, limit: 100, lease: day(200), at: today).map(
            \.receipt.id)
        #expect((taken + rest).count == 12 && Set(taken + rest).count == 12)
    }

    @Test func `Servers that start together migrate the database once`() async throws {
        let server = try PostgresServer.shared.get()
        let url = server.url(try server.newDatabase())
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { _ = try open(1, on: url) } }
            try await group.waitForAll()
        }
        let versions = try await TestLedger(open(1, on: url)[0]).rows(
            "SELECT number FROM ledgerMigrations ORDER BY number")
        #expect(versions == (1...Migrations.all.count).map(String.init))
    }

    /// A database as each earlier version left it, with an account from then.
    @Test(arguments: 1..<Migrations.all.count)
    func `A database of each earlier version is migrated with its account`(version: Int) async throws {
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        let numbers = (1...version).map { "INSERT INTO ledgerMigrations (number) VALUES (\($0));" }
        let made = Migrations.all.prefix(version) + [Migrations.table] + numbers
        try server.execute(made.joined(separator: "\n"), in: name)
        let insert = """
            INSERT INTO accounts (id, recoveryCode, createdAt) VALUES ('\(account(7).text)', '\\x07', 0);
            INSERT INTO sessions VALUES ('\\x07', '\(account(7).text)', 0, NULL);
            """
        try server.execute(insert, in: name)
        let ledger = TestLedger(try open(1, on: server.url(name))[0])
        #expect(try await ledger.ledger.account(forToken: Data([7])) == account(7))
        try await ledger.liveThroughEverything()
        #expect(try await ledger.differences() == [])
    }

    @Test func `A database of a later version is refused`() async throws {
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        _ = try open(1, on: server.url(name))
        try server.execute("INSERT INTO ledgerMigrations (number) VALUES (99)", in: name)
        let error = #expect(throws: LedgerUnavailable.self) { try open(1, on: server.url(name)) }
        #expect(error?.detail == "a later version of this server made the database's tables")
    }

    @Test(arguments: [
        (
            "ALTER DATABASE %@ SET synchronous_commit = off",
            "synchronous_commit is off: what is acknowledged could be lost"
        )
    ])
    func `A database that could lose what was acknowledged is refused`(setting: String, detail: String) throws {
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        try server.execute(setting.replacing("%@", with: name))
        let error = #expect(throws: LedgerUnavailable.self) { try open(1, on: server.url(name)) }
        #expect(error?.detail == detail)
    }

    @Test(arguments: [
        "DELETE FROM audit", "TRUNCATE audit CASCADE", "UPDATE audit SET kind = 'x'",
        "UPDATE audit SET content = 'x'",
        "DELETE FROM auditSeals", "UPDATE auditSeals SET hash = ''", "TRUNCATE auditSeals CASCADE",
    ])
    func `The audit trail in PostgreSQL cannot be changed or deleted`(statement: String) async throws {
        let ledger = try open(1)[0]
        try await TestLedger(ledger).join(1)
        _ = try await ledger.sealRows(atMost: 10, at: day(0)) { row, last in
            Seal(position: (last?.position ?? 0) + 1, sequence: row.sequence, hash: row.contentHash)
        }
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await ledger.write { try $0.run("\(statement)", []) }
        }
        #expect(error?.detail == "PostgreSQL P0001: the audit trail is append-only")
    }

    @Test func `The content of audit rows in PostgreSQL may be erased`() async throws {
        let ledger = try open(1)[0]
        try await TestLedger(ledger).join(1)
        _ = try await ledger.write { try $0.run("UPDATE audit SET content = NULL", []) }
        #expect(try await TestLedger(ledger).rows("SELECT count(*) FROM audit WHERE content IS NOT NULL") == ["0"])
    }

    /// PostgreSQL has no U+0000, and whoever sends one gets the same answer as elsewhere.
    @Test(arguments: ["a\0b", "\0", "\u{10FFFF}"])
    func `Texts with a zero byte are stored in PostgreSQL as elsewhere`(text: String) async throws {
        let ledger = TestLedger(try open(1)[0])
        try await ledger.join(1)
        _ = try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(try await ledger.spend(1, key: text) == ledger.spend(1, key: text))
        try await ledger.ledger.set(["\(text)/1": Data([1]), "\(text)0": Data([2])])
        #expect(try await ledger.ledger.values(withPrefix: text + "/") == ["\(text)/1": Data([1])])
        #expect(try await ledger.ledger.values(withPrefix: text).count == 2)
    }
}
