import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL

/// The statements of a receipt: each statement costs time in the one writer, and each wait costs a round trip to
/// PostgreSQL.
@Suite struct ReceiptCostTests {
    private struct Refusal: Error {}

    private func open(_ kind: LedgerKind) async throws -> (SQLLedger, CountingDatabase.Counts) {
        let made = try kind.open()
        try await made.join(1, 2)
        let database = CountingDatabase(try #require(made.ledger as? SQLLedger).database)
        return (SQLLedger(database, handlers: standardHandlers, onCommit: { _ in }), database.counts)
    }

    /// The statements and the waits of an exchange.
    private func cost(
        _ counts: CountingDatabase.Counts, of exchange: () async throws -> Void
    ) async throws -> (statements: [String], waits: Int) {
        counts.statements.withLock { $0 = [] }
        counts.waits.withLock { $0 = 0 }
        try await exchange()
        return (counts.statements.withLock { $0 }, counts.waits.withLock { $0 })
    }

    /// Of a consumable that no notification reported before, with the account's token, as a client sends it.
    @Test(arguments: LedgerKind.allCases)
    func `A first receipt costs at most eleven statements and two waits`(kind: LedgerKind) async throws {
        let (ledger, counts) = try await open(kind)
        // The very first also stores the terms.
        try await TestLedger(ledger).record(receipt("a", by: 2), bought("hints", "1", token: 2))
        let cost = try await cost(counts) {
            #expect(try await ledger.account(forToken: Data([1])) == account(1))
            try await TestLedger(ledger).record(receipt("b"), bought("hints", "2", token: 1))
        }
        let list = cost.statements.joined(separator: "\n")
        #expect(cost.statements.count <= 11, "\(list)")
        #expect(cost.waits <= 2, "\(list)")
        #expect(cost.statements.count { $0.contains("INSERT INTO audit ") } == 1)
        #expect(try await TestLedger(ledger).trail().count == 2 * 2 + 2 * 3)
    }

    /// However many transactions it has, there are no queries for each of them.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt of many purchases costs at most twelve waits`(kind: LedgerKind) async throws {
        let (ledger, counts) = try await open(kind)
        let copies = (1...60).map { bought("words", TransactionID(stored: "\($0)")) }
        let verified = VerifiedReceipt(transactions: copies, evidence: PresentedEvidence(.appReceipt, copies))
        let context = RecordingContext(catalog: try catalog(), date: today)
        let cost = try await cost(counts) {
            _ = try await ledger.record(receipt("a", kind: .appReceipt), .success(verified), in: context)
        }
        #expect(cost.waits <= 12, "\(cost.statements.joined(separator: "\n"))")
    }

    /// A refused write, in the same commit or before, takes the terms that it stored with it.
    @Test(arguments: LedgerKind.allCases)
    func `Terms that were rolled back are stored by the next write`(kind: LedgerKind) async throws {
        let (ledger, _) = try await open(kind)
        let product = try #require(try catalog().product("words", of: "hangman"))
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    do {
                        try await ledger.write { rows in
                            _ = try rows.record(terms: product)
                            if number < 11 { throw Refusal() }
                        }
                        return true
                    } catch is Refusal { return false }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 1)
        #expect(try await TestLedger(ledger).rows("SELECT count(*) FROM terms") == ["1"])
        try await TestLedger(ledger).record(receipt("a"), bought("words", "1"))
        #expect(try await TestLedger(ledger).rows("SELECT count(*) FROM terms") == ["1"])
    }

    /// All copies at once are found to have what each question alone would find, for any number of them.
    @Test(arguments: LedgerKind.allCases)
    func `Records, owners and pending facts of many copies are found at once`(kind: LedgerKind) async throws {
        let (ledger, _) = try await open(kind)
        let shop = TestLedger(ledger)
        try await shop.record(receipt("a"), bought("words", "1"), bought("club.month", "2", until: day(120)))
        try await shop.record(receipt("b", by: 2), bought("words", "1", signed: day(92)))
        try await shop.record(receipt("c"), bought("club.month", "3", original: "2", until: day(150)))
        let reported = VerifiedReceipt(
            transactions: [bought("words", "4"), bought("club.month", "6", original: "5", until: day(120))])
        _ = try await ledger.write { rows in
            try ReceiptRecorder(rows, RecordingContext(catalog: catalog(), date: today)).observe(reported, cause: "n")
        }
        let some = [
            bought("words", "1"), bought("club.month", "2"), bought("club.month", "3", original: "2"),
            bought("words", "4"), bought("words", "9", original: "1"), bought("club.month", "7", original: "5"),
            bought("words", "1", original: "8"), bought("words", "1", app: "chess"), bought("words", "1", .sandbox),
        ]
        let others = (10..<90).map { bought("words", TransactionID(stored: "\($0)")) }
        for copies in [[], [some[0]], [some[3]], some, some + others, some + some] {
            try await ledger.read { rows in
                let found = try rows.recorded(copies)
                let keys = Set(copies.map(\.originalTransactionKey))
                let records = try rows.transactions(Set(copies.map(\.key)))
                #expect(Set(found.records.map(\.transaction)) == Set(records.map(\.transaction)))
                let owners = { (records: [RecordedTransaction]) in
                    Dictionary(records.map { ($0.transaction.key, [$0.owner, $0.creditedTo]) }) { first, _ in first }
                }
                #expect(owners(found.records) == owners(records))
                #expect(try found.originals == rows.originalTransactions(keys))
                let awaited = try rows.unclaimed(of: keys.subtracting(found.originals.keys))
                #expect(found.awaited == Set(awaited.map(\.transaction.originalTransactionKey)))
            }
        }
    }

    /// More rows than one statement inserts, of several writes at once.
    @Test(arguments: LedgerKind.allCases)
    func `The audit trail is in the order of its acts`(kind: LedgerKind) async throws {
        let (ledger, _) = try await open(kind)
        let before = try await ledger.auditRows(after: 0, limit: 100).count
        let numbers = [0, 1, 2, 15, 16, 17, 33, 50]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask {
                    try? await ledger.write { rows in
                        for row in 0..<number {
                            try rows.append(AuditEntry(.accountCreated, subject: "\(number) \(row)", at: today))
                        }
                        if number == 33 { throw Refusal() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await ledger.auditRows(after: 0, limit: 1_000).dropFirst(before).compactMap(\.subject)
        #expect(rows.count == numbers.reduce(0, +) - 33)
        for number in numbers where number != 33 && number > 0 {
            let start = try #require(rows.firstIndex(of: "\(number) 0"))
            #expect(rows[start...].prefix(number) == ArraySlice((0..<number).map { "\(number) \($0)" }))
        }
    }
}
