import InAppPurchase
import Ledger
import LedgerSQL
import Synchronization
import Testing

@testable import LedgerPostgres

/// Several servers on one database.
@Suite struct ConflictTests {
    /// Takes from `own` if both together have enough: two that see each other's earlier balance would take too much.
    private static func claim(_ own: String, _ transaction: any SQLTransaction) throws -> Bool {
        let both = try (transaction.number("a") ?? 0) + (transaction.number("b") ?? 0)
        guard both >= 100 else { return false }
        try transaction.set(own, (transaction.number(own) ?? 0) - 100)
        return true
    }

    @Test func `Of two writers that rely on the same rows one is refused`() async throws {
        let base = try TestDatabase()
        let servers = [try base.open(), try base.open()]
        for _ in 0..<20 {
            try await servers[0].set("a", 50)
            try await servers[0].set("b", 50)
            async let first = servers[0].write { try Self.claim("a", $0) }
            async let second = servers[1].write { try Self.claim("b", $0) }
            #expect(try await [first, second].filter { $0 }.count == 1)
        }
    }

    @Test func `Every increment by several servers counts`() async throws {
        let base = try TestDatabase()
        let servers = try (0..<4).map { _ in try base.open() }
        try await servers[0].set("n", 0)
        try await withThrowingTaskGroup { group in
            for index in 0..<80 {
                let server = servers[index % servers.count]
                group.addTask { try await server.write { try $0.set("n", ($0.number("n") ?? 0) + 1) } }
            }
            try await group.waitForAll()
        }
        #expect(try await servers[0].number("n") == 80)
    }

    /// The last attempts let nobody else write.
    @Test func `The last attempts of a transaction run alone`() async throws {
        let database = try TestDatabase().open {
            $0.tries = 4
            $0.triesAlone = 2
        }
        let modes = Mutex<[String]>([])
        try await database.write { transaction in
            let mode: String? = try transaction.one(
                """
                SELECT mode FROM pg_locks WHERE relation = CAST('\(TransactionKind.lockTable)' AS regclass)
                    AND pid = pg_backend_pid()
                """, [])?.decode("mode")
            let count = modes.withLock { modes in
                modes.append(mode ?? "none")
                return modes.count
            }
            if count < 4 { try transaction.fail(count == 1 ? "40P01" : "40001") }
        }
        #expect(modes.withLock { $0 } == ["RowShareLock", "RowShareLock", "ExclusiveLock", "ExclusiveLock"])
    }

    @Test func `A transaction in conflict is tried a limited number of times`() async throws {
        let database = try TestDatabase().open {
            $0.tries = 3
            $0.triesAlone = 1
        }
        let runs = Atomic(0)
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                runs.add(1, ordering: .relaxed)
                try transaction.fail("40001")
            }
        }
        #expect(runs.load(ordering: .relaxed) == 3)
        #expect(error?.detail.hasPrefix("PostgreSQL 40001: ") == true)
    }

    /// A conflict is not the business of the one among several in whose part it showed.
    @Test func `A conflict that the work caught still repeats the transaction`() async throws {
        let database = try TestDatabase().open()
        let runs = Atomic(0)
        try await database.write { transaction in
            let run = runs.add(1, ordering: .relaxed).newValue
            try transaction.set("runs", run)
            do {
                try transaction.savepoint { if run == 1 { try transaction.fail("40001") } }
            } catch {}
        }
        #expect(try await database.number("runs") == 2)
    }

    @Test func `A failure that the work caught still writes nothing`() async throws {
        let database = try TestDatabase().open()
        await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                try transaction.set("a", 1)
                do { try transaction.fail("23514") } catch {}
            }
        }
        #expect(try await database.number("a") == nil)
    }

    struct Refusal: Error {}

    @Test func `A savepoint rolls back its own writes only`() async throws {
        let database = try TestDatabase().open()
        try await database.write { transaction in
            try transaction.set("a", 1)
            try? transaction.savepoint {
                try transaction.set("a", 2)
                try transaction.savepoint { try transaction.set("b", 2) }
                try? transaction.savepoint {
                    try transaction.set("c", 2)
                    try transaction.fail("23514")
                }
                #expect(try transaction.number("b") == 2)
                #expect(try transaction.number("c") == nil)
                throw Refusal()
            }
            try transaction.savepoint { try transaction.set("d", 4) }
        }
        let numbers = try await database.read { try $0.all("SELECT * FROM numbers ORDER BY name", []).map(\.values) }
        #expect(numbers == [[.text("a"), .integer(1)], [.text("d"), .integer(4)]])
    }

    @Test func `A thrown error rolls the transaction back`() async throws {
        let database = try TestDatabase().open()
        await #expect(throws: Refusal.self) {
            try await database.write { transaction in
                try transaction.set("a", 1)
                throw Refusal()
            }
        }
        #expect(try await database.number("a") == nil)
    }

    /// The rows that others write while it waits for them are seen by the one that then writes alone.
    @Test func `A transaction that waited to run alone sees all that others wrote`() async throws {
        let base = try TestDatabase()
        let (one, other) = (try base.open(), try base.open())
        let isWriting = Atomic(false)
        async let slow: Void = one.write { transaction in
            try transaction.set("a", 1)
            isWriting.store(true, ordering: .releasing)
            _ = try transaction.one("SELECT pg_sleep(0.5)", [])
        }
        while !isWriting.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await other.writeAlone { try $0.number("a") } == 1)
        try await slow
    }

    @Test func `A reader cannot write`() async throws {
        let database = try TestDatabase().open()
        await #expect(throws: LedgerUnavailable.self) { try await database.read { try $0.set("a", 1) } }
    }
}
