import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Synchronization
import TestSupport
import Testing

/// The numbers that an operator watches.
@Suite struct WatchTests {
    @Test(arguments: LedgerKind.allCases)
    func `Pending receipts are counted, with the date of the oldest`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        func expect(_ count: Int, since oldest: Date?, _ location: SourceLocation = #_sourceLocation) async throws {
            let pending = try await ledger.ledger.pendingReceipts()
            #expect(pending == PendingReceipts(count: count, oldest: oldest), sourceLocation: location)
        }
        try await expect(0, since: nil)
        _ = try await ledger.ledger.enqueue(receipt("b", by: 2), retryAt: day(200), at: day(102))
        _ = try await ledger.ledger.enqueue(receipt("a"), retryAt: day(200), at: day(101))
        try await expect(2, since: day(101))
        // Postponed, or taken by a worker, it still waits.
        try await ledger.ledger.postpone(receipt("a"), attempts: Attempts(count: 1), until: day(201), at: day(103))
        _ = try await ledger.ledger.dueReceipts(in: .receipts, limit: 9, lease: day(300), at: day(200))
        try await expect(2, since: day(101))
        try await ledger.record(receipt("a"), bought("words", "1"), on: day(103))
        try await expect(1, since: day(102))
        try await ledger.reject(receipt("b", by: 2), .malformed, on: day(103))
        try await expect(0, since: nil)
    }

    /// Whoever has had an answer has the purchase; only the store's news is awaited.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt that is asked about again is counted without an age`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let known = receipt("a", kind: .appReceipt)
        try await ledger.record(known, bought("words", "1"), on: day(1))
        _ = try await ledger.ledger.enqueue(known, retryAt: day(100), at: day(100))
        #expect(try await ledger.ledger.pendingReceipts() == PendingReceipts())
        try await ledger.ledger.postpone(known, attempts: Attempts(count: 1), until: day(101), at: day(100))
        #expect(try await ledger.ledger.pendingReceipts() == PendingReceipts(count: 1, oldest: nil))
    }

    @Test func `Every commit is measured, and reads and refusals are not`() async throws {
        let commits = Mutex<[CommitTimes]>([])
        let sqlite = try SQLiteLedger.open(path: LedgerFile().path, handlers: standardHandlers) { commit in
            commits.withLock { $0 += commit.writes }
        }
        let ledger = TestLedger(sqlite)
        #expect(commits.withLock { $0.isEmpty })
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(commits.withLock { $0.count } == 2)
        _ = try await ledger.read()
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(1_000_000, key: "k") }
        #expect(commits.withLock { $0.count } == 2, "neither a reader nor what is refused commits")
        #expect(commits.withLock { $0.allSatisfy { $0.wait >= .zero && $0.work > .zero && $0.commit > .zero } })
    }
}
