import Dispatch
import InAppPurchase
import Ledger
import LedgerSQL
import TestSupport
import Testing

@testable import LedgerPostgres

/// Nothing waits for ever.
@Suite struct LimitTests {
    private func state(_ body: () async throws -> Void) async -> String? {
        await #expect(throws: LedgerUnavailable.self) { try await body() }?.detail
    }

    @Test func `A statement that takes too long is ended`() async throws {
        let database = try TestDatabase().open {
            $0.readStatement = .milliseconds(100)
            $0.writeStatement = .milliseconds(100)
        }
        for act in [database.read, database.write] as [@Sendable (_: @escaping Work) async throws -> Void] {
            let detail = await state { try await act { _ = try $0.one("SELECT pg_sleep(9)", []) } }
            #expect(detail?.hasPrefix("PostgreSQL 57014: ") == true)
        }
        // A busy machine may take longer for a write, too; in the end one is done in time.
        try await eventually("the connection is used again") { (try? await database.set("a", 1)) != nil }
    }

    typealias Work = @Sendable (any SQLTransaction) throws -> Void

    /// Whatever a transaction does with the errors: it never began.
    @Test(arguments: [false, true])
    func `A lock that is held is waited for a limited time`(isCaught: Bool) async throws {
        let base = try TestDatabase()
        let (patient, hurried) = (try base.open(), try base.open { $0.lock = .milliseconds(100) })
        let began = AsyncStream<Void>.makeStream()
        let isEnough = DispatchSemaphore(value: 0)
        async let holder: Void = patient.writeAlone { _ in
            began.continuation.yield()
            _ = isEnough.wait(timeout: .now() + 600)
        }
        for await _ in began.stream { break }
        let detail = await state {
            try await hurried.write { transaction in
                do {
                    try transaction.savepoint { try transaction.set("a", 1) }
                } catch  where isCaught { try? transaction.set("a", 2) }
            }
        }
        #expect(detail?.hasPrefix("PostgreSQL 55P03: ") == true)
        #expect(try await hurried.number("a") == nil)
        isEnough.signal()
        try await holder
    }

    @Test func `A connection in use is waited for a limited time, by a limited number`() async throws {
        let base = try TestDatabase()
        let hurried = try base.open { $0.timeout = .milliseconds(200) }
        try await whileInUse(hurried) { _ in
            let detail = await state { try await hurried.set("a", 1) }
            #expect(detail == "no connection became free in time")
        }
        try await hurried.set("a", 1)

        let narrow = try base.open { $0.queue = 1 }
        try await whileInUse(narrow) { isEnough in
            // One of the two waits and the other is refused: which comes first is not known.
            let details = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            try await narrow.set("a", 1)
                            return nil
                        } catch {
                            isEnough.signal()
                            return (error as? LedgerUnavailable)?.detail ?? "\(error)"
                        }
                    }
                }
                return await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(details.count == 2 && details.compactMap { $0 } == ["too many wait for a connection"])
        }
        try await narrow.set("a", 1)
    }

    /// Runs `body` while the only connection that writes is in use, until `body` signals that it is enough, or ends.
    private func whileInUse(_ database: PostgresDatabase, _ body: (DispatchSemaphore) async -> Void) async throws {
        let began = AsyncStream<Void>.makeStream()
        let isEnough = DispatchSemaphore(value: 0)
        async let holder: Void = database.write { _ in
            began.continuation.yield()
            _ = isEnough.wait(timeout: .now() + 600)
        }
        for await _ in began.stream { break }
        await body(isEnough)
        isEnough.signal()
        try await holder
    }

    /// A server that stands still, with the connection open.
    @Test func `A database that does not answer is given up`() async throws {
        let database = try TestDatabase().open {
            $0.readStatement = .milliseconds(100)
            $0.lock = .milliseconds(100)
        }
        // On a busy machine the server may end what comes before by itself, or a read takes too long.
        try await eventually("it is given up") {
            let detail = await state {
                try await database.read { transaction in
                    // The server ends nothing by itself any more.
                    try transaction.run("SET LOCAL statement_timeout = 0", [])
                    _ = try transaction.one("SELECT pg_sleep(5)", [])
                }
            }
            return detail == "PostgreSQL: no answer in time"
        }
        try await eventually("the connection is replaced") {
            do { return try await database.number("a") == nil } catch is LedgerUnavailable { return false }
        }
    }

    @Test func `A statement with the wrong number of arguments is refused`() async throws {
        let database = try TestDatabase().open()
        let detail = await state { try await database.write { _ = try $0.run("SELECT ?", []) } }
        #expect(detail == "a statement has 0 arguments for 1 places")
    }

    @Test func `Errors of the database show no values`() async throws {
        let database = try TestDatabase().open()
        try await database.set("secret", 1)
        let statements: [(SQLStatement, SQLArguments)] = [
            ("INSERT INTO numbers (name, number) VALUES (?, 1)", ["secret"]),
            ("INSERT INTO numbers (name, number) VALUES (?, ?)", ["a", "secret"]),
            ("SELECT CAST(? AS BIGINT)", ["secret"]),
            ("SELECT CAST(CAST(? AS TEXT) AS TIMESTAMP)", ["secret"]),
        ]
        for (sql, arguments) in statements {
            let detail = await state { try await database.write { _ = try $0.run(sql, arguments) } }
            #expect(detail?.hasPrefix("PostgreSQL 2") == true)
            #expect(detail?.contains("secret") == false)
        }
    }
}
