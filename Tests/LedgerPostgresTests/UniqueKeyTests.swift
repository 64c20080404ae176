import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import Synchronization
import Testing

@testable import LedgerPostgres

/// Unique violations (SQLSTATE 23505). One caused by another transaction is a conflict like any other.
@Suite struct UniqueKeyTests {
    /// How the row is inserted.
    enum Insertion: CaseIterable { case atOnce, sent, sentInSavepoint }

    private static func insert(_ name: String, _ insertion: Insertion, _ transaction: any SQLTransaction) throws {
        switch insertion {
        case .atOnce: try transaction.run("INSERT INTO numbers (name, number) VALUES (?, 1)", [name])
        case .sent: try transaction.put(name, 1)
        case .sentInSavepoint: try transaction.savepoint { try transaction.put(name, 1) }
        }
    }

    /// The other transaction inserts its row between the look-up and the insertion, and commits, without a look-up of
    /// its own that would make PostgreSQL see the conflict.
    @Test(arguments: Insertion.allCases)
    func `A unique violation by another transaction repeats this one`(insertion: Insertion) async throws {
        let base = try TestDatabase()
        let (one, other) = (try base.open(), try base.open())
        let hasLooked = Atomic(false)
        let isInserted = Atomic(false)
        let runs = Atomic(0)
        async let isNew = one.write { transaction in
            let run = runs.add(1, ordering: .relaxed).newValue
            guard try transaction.number("a") == nil else { return false }
            hasLooked.store(true, ordering: .releasing)
            while run == 1, !isInserted.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.005) }
            try Self.insert("a", insertion, transaction)
            return true
        }
        while !hasLooked.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(5)) }
        try await other.write { try $0.put("a", 7) }
        isInserted.store(true, ordering: .releasing)
        #expect(try await isNew == false)
        #expect(runs.load(ordering: .relaxed) == 2)
        #expect(try await one.number("a") == 7)
    }

    /// Nobody else can have caused it while nobody else writes, so trying ends.
    @Test(arguments: Insertion.allCases)
    func `A unique violation that nobody else caused is thrown`(insertion: Insertion) async throws {
        let database = try TestDatabase().open()
        let modes = Mutex<[String?]>([])
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                let mode = try transaction.lockMode()
                modes.withLock { $0.append(mode) }
                try transaction.put("a", 1)
                try Self.insert("a", insertion, transaction)
            }
        }
        #expect(error?.detail.hasPrefix("PostgreSQL 23505: ") == true)
        #expect(modes.withLock { $0 } == ["RowShareLock", "RowShareLock", "ExclusiveLock"])
        #expect(try await database.number("a") == nil)
    }

    /// Of several writes in one transaction only the one at fault fails.
    @Test func `A unique violation in a savepoint leaves the other writes`() async throws {
        let database = try TestDatabase().open()
        try await database.write { transaction in
            try transaction.savepoint { try transaction.put("a", 1) }
            #expect(throws: LedgerUnavailable.self) {
                try transaction.savepoint {
                    try transaction.put("b", 1)
                    try transaction.put("b", 2)
                }
            }
            try transaction.savepoint { try transaction.put("c", 3) }
        }
        #expect(try await database.number("a") == 1)
        #expect(try await database.number("b") == nil)
        #expect(try await database.number("c") == 3)
    }

    /// A violation that was the first of several kinds of trouble is retried among them.
    @Test func `A unique violation among other conflicts is retried`() async throws {
        let database = try TestDatabase().open()
        let runs = Atomic(0)
        try await database.write { transaction in
            let run = runs.add(1, ordering: .relaxed).newValue
            if run < 4 { try transaction.fail(run == 2 ? "23505" : "40001") }
            try transaction.set("runs", run)
        }
        #expect(try await database.number("runs") == 4)
    }
}

extension SQLTransaction {
    /// The mode in which this transaction locks the table that all writers lock.
    fileprivate func lockMode() throws -> String? {
        try one(
            """
            SELECT mode FROM pg_locks WHERE relation = CAST('\(TransactionKind.lockTable)' AS regclass)
                AND pid = pg_backend_pid()
            """, [])?.decode("mode")
    }
}
