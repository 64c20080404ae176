import Dispatch
import InAppPurchase
import Ledger
import LedgerSQL
import Testing

@testable import LedgerPostgres

/// Nothing waits for ever.
@Suite struct LimitTests {
    private func state(_ body: () async throws -> Void) async -> String? {
        await #expect(throws: LedgerUnavailable.self) { try await body() }?.detail
    }

    @Test("A statement that takes too long is ended")
    func aStatementThatTakesTooLongIsEnded() async throws {
        let database = try TestDatabase().open {
            $0.readStatement = .milliseconds(100)
            $0.writeStatement = .milliseconds(100)
        }
        for act in [database.read, database.write] as [@Sendable (_: @escaping Work) async throws -> Void] {
            let detail = await state { try await act { _ = try $0.one("SELECT pg_sleep(9)", []) } }
            #expect(detail?.hasPrefix("PostgreSQL 57014: ") == true)
        }
        try await database.set("a", 1)
    }

    typealias Work = @Sendable (any SQLTransaction) throws -> Void

    /// Whatever a transaction does with the errors: it never began.
    @Test("A lock that is held is waited for a limited time", arguments: [false, true])
    func aLockThatIsHeldIsWaitedForALimitedTime(isCaught: Bool) async throws {
        let base = try TestDatabase()
        let (patient, hurried) = (try base.open(), try base.open { $0.lock = .milliseconds(100) })
        let began = AsyncStream<Void>.makeStream()
        let isEnough = DispatchSemaphore(value: 0)
        async let holder: Void = patient.writeAlone { _ in
            began.continuation.yield()
            _ = isEnough.wait(timeout: .now() + 60)
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

    @Test("A connection in use is waited for a limited time, by a limited number")
    func aConnectionInUseIsWaitedForALimitedTimeByALimitedNumber() async throws {
        let database = try TestDatabase().open {
            $0.queue = 1
            $0.patience = .milliseconds(200)
        }
        let began = AsyncStream<Void>.makeStream()
        let isEnough = DispatchSemaphore(value: 0)
        async let holder: Void = database.write { _ in
            began.continuation.yield()
            _ = isEnough.wait(timeout: .now() + 60)
        }
        for await _ in began.stream { break }
        let details = await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await state { try await database.set("a", 1) } } }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(details == ["too many wait for a connection", "no connection became free in time"])
        isEnough.signal()
        try await holder
        try await database.set("a", 1)
    }

    /// A server that stands still, with the connection open.
    @Test("A database that does not answer is given up")
    func aDatabaseThatDoesNotAnswerIsGivenUp() async throws {
        let database = try TestDatabase().open {
            $0.readStatement = .milliseconds(100)
            $0.lock = .milliseconds(100)
        }
        let detail = await state {
            try await database.read { transaction in
                // The server ends nothing by itself any more.
                try transaction.run("SET LOCAL statement_timeout = 0", [])
                _ = try transaction.one("SELECT pg_sleep(5)", [])
            }
        }
        #expect(detail == "PostgreSQL: no answer in time")
        #expect(try await database.number("a") == nil)
    }

    @Test("A statement with the wrong number of arguments is refused")
    func aStatementWithTheWrongNumberOfArgumentsIsRefused() async throws {
        let database = try TestDatabase().open()
        let detail = await state { try await database.write { _ = try $0.run("SELECT ?", []) } }
        #expect(detail == "a statement has 0 arguments for 1 places")
    }

    @Test("Errors of the database show no values")
    func errorsOfTheDatabaseShowNoValues() async throws {
        let database = try TestDatabase().open()
        try await database.set("secret", 1)
        let statements: [(String, SQLArguments)] = [
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
