import InAppPurchase
import Ledger
import LedgerSQL
import PostgresSupport
import Synchronization
import Testing

@testable import LedgerPostgres

/// Statements that go to the server together.
@Suite(.timeLimit(.minutes(10))) struct PipelineTests {
    private struct Refusal: Error {}

    /// The place in a transaction of a statement that was sent and fails.
    enum Place: CaseIterable { case beforeAnother, last, inSavepoint, beforeSavepoint }

    private func fail(_ state: String, _ place: Place, _ transaction: any SQLTransaction) throws {
        switch place {
        case .beforeAnother:
            try transaction.sendFailure(state)
            _ = try transaction.number("a")
        case .last: try transaction.sendFailure(state)
        case .inSavepoint: try? transaction.savepoint { try transaction.sendFailure(state) }
        case .beforeSavepoint:
            try transaction.sendFailure(state)
            try? transaction.savepoint { try transaction.put("b", 1) }
        }
    }

    @Test(arguments: ["40001", "40P01"], Place.allCases)
    func `A conflict of a sent statement repeats the transaction`(state: String, place: Place) async throws {
        let database = try TestDatabase().open()
        let runs = Atomic(0)
        try await database.write { transaction in
            let run = runs.add(1, ordering: .relaxed).newValue
            try transaction.put("runs", run)
            if run < 3 { try fail(state, place, transaction) }
        }
        #expect(try await database.number("runs") == 3)
    }

    @Test(arguments: Place.allCases) func `The failure of a sent statement is reported`(place: Place) async throws {
        let database = try TestDatabase().open()
        let act = { @Sendable (transaction: any SQLTransaction) throws in
            try transaction.put("a", 1)
            try fail("23514", place, transaction)
        }
        if place == .inSavepoint {
            try await database.write(act)
        } else {
            let error = await #expect(throws: LedgerUnavailable.self) { try await database.write(act) }
            #expect(error?.detail.hasPrefix("PostgreSQL") == true)
            #expect(error?.detail.hasSuffix("is not known") == false)
        }
        #expect(try await database.number("a") == (place == .inSavepoint ? 1 : nil))
        try await database.set("a", 2)
    }

    /// It is reported where it was sent, and not in a savepoint after it.
    @Test func `A failed statement is reported before a later savepoint begins`() async throws {
        let database = try TestDatabase().open()
        let isBegun = Atomic(false)
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                try transaction.sendFailure("23514")
                try transaction.savepoint { isBegun.store(true, ordering: .relaxed) }
            }
        }
        #expect(error?.detail.hasPrefix("PostgreSQL 23514: ") == true)
        #expect(isBegun.load(ordering: .relaxed) == false)
    }

    /// The failure of one of the first is reported long before the last.
    @Test(arguments: [0, 100_000])
    func `The statements that wait to be sent are limited in number and bytes`(bytes: Int) async throws {
        let database = try TestDatabase().open()
        let sent = Atomic(0)
        await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                try transaction.sendFailure("23514")
                for _ in 0..<10_000 {
                    try transaction.send("SELECT CAST(? AS TEXT)", [String(repeating: "x", count: bytes)])
                    sent.add(1, ordering: .relaxed)
                }
            }
        }
        let most = bytes == 0 ? PostgresPipeline.maximumStatements : PostgresPipeline.maximumBytes / bytes + 1
        #expect((1...most).contains(sent.load(ordering: .relaxed)))
    }

    @Test func `Many large statements are sent together`() async throws {
        let database = try TestDatabase().open()
        let words = String(repeating: "0123456789", count: 1_000)
        try await database.write { transaction in
            for id in 0..<10_000 { try transaction.send("INSERT INTO kept (id, words) VALUES (?, ?)", [id, words]) }
        }
        let row = try await database.read {
            try $0.one("SELECT count(*) AS n, sum(length(words)) AS length FROM kept", [])
        }
        #expect(try row?.decode("n") == 10_000 && row?.decode("length") == 100_000_000)
    }

    /// The server waits until its answers are read, and reads nothing meanwhile.
    @Test func `Answers larger than the statements do not block`() async throws {
        let database = try TestDatabase().open()
        let words = String(repeating: "x", count: 50_000)
        let length = try await database.write { transaction in
            for _ in 0..<40 { try transaction.send("SELECT repeat(CAST(? AS TEXT), 20) AS words", [words]) }
            return try transaction.one("SELECT length(CAST(? AS TEXT)) AS length", [words])?.decode("length") ?? 0
        }
        #expect(length == 50_000)
    }

    /// Each statement has its time, though the server reports none before the last is done.
    @Test func `Each of several sent statements has its own time`() async throws {
        let database = try TestDatabase().open {
            $0.writeStatement = .seconds(6)
            $0.lock = .milliseconds(100)
        }
        // Together longer than the time of one, and each far shorter, however busy the machine is.
        let last = try await database.write { transaction in
            for _ in 0..<20 { try transaction.send("SELECT pg_sleep(0.4)", []) }
            return try transaction.one("SELECT 5 AS n", [])?.decode("n") ?? 0
        }
        #expect(last == 5)
    }

    @Test func `A read after sent statements has its own rows`() async throws {
        let database = try TestDatabase().open()
        let numbers = try await database.write { transaction in
            var numbers: [Int] = []
            for number in 1...3 {
                try transaction.put("a\(number)", number)
                try? transaction.each("SELECT number FROM numbers, generate_series(1, 2000) ORDER BY number DESC", []) {
                    numbers.append(try $0.decode("number"))
                    if numbers.count.isMultiple(of: 2) { throw Refusal() }
                }
            }
            return numbers
        }
        #expect(numbers == [1, 1, 2, 2, 3, 3])
    }

    @Test func `Nothing is sent while rows are read`() async throws {
        let database = try TestDatabase().open()
        await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                try transaction.each("SELECT 1", []) { _ in try transaction.put("a", 1) }
            }
        }
        #expect(try await database.number("a") == nil)
    }
}
