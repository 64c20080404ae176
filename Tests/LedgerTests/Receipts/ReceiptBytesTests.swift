import Basics
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import TestSupport
import Testing

@testable import LedgerSQL

/// Which bytes of receipts a ledger keeps, and how many.
@Suite struct ReceiptBytesTests {
    /// So small that names of 60 characters are large.
    static let budgets: ReceiptByteBudgets = {
        var budgets = ReceiptByteBudgets()
        budgets.pending = .init(account: 130, address: 190)
        budgets.rejected = .init(account: 130, address: 190)
        budgets.verified = .init(account: 130, address: 190)
        return budgets
    }()

    /// A receipt of 60 bytes.
    static func large(
        _ name: String, by digit: UInt8 = 1, at address: String? = "a", kind: Receipt.Kind = .appReceipt
    ) -> Receipt {
        var sent = receipt(name.padding(toLength: 60, withPad: ".", startingAt: 0), by: digit, kind: kind)
        sent.address = address
        return sent
    }

    private static func context(on date: Date = today) throws -> RecordingContext {
        RecordingContext(catalog: try catalog(), date: date, receiptBytes: budgets)
    }

    private func reject(
        _ receipt: Receipt, _ reason: ReceiptRejection.Reason = .signature, in ledger: TestLedger, on date: Date = today
    ) async throws -> ReceiptAnswer.Status {
        try await ledger.ledger.record(receipt, .failure(ReceiptRejection(reason)), in: try Self.context(on: date))
            .status
    }

    private func enqueue(_ receipt: Receipt, in ledger: TestLedger, on date: Date = today) async throws {
        _ = try await ledger.ledger.enqueue(receipt, isVerified: false, retryAt: date, within: Self.budgets, at: date)
    }

    private func verify(_ receipt: Receipt, in ledger: TestLedger) async throws -> ReceiptAnswer.Status {
        try await ledger.ledger.record(
            receipt, .success(VerifiedReceipt(transactions: [bought("hints", "1")])), in: try Self.context()
        ).status
    }

    private func expect(_ kind: ReceiptBytesKind, _ ledger: TestLedger, _ body: () async throws -> Void) async throws {
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.tooManyBytes(kind)) { try await body() }
        #expect(try await ledger.everything() == before, "nothing is recorded")
    }

    private func sizes(in ledger: TestLedger) async throws -> [String] {
        try await ledger.rows("SELECT id, length(content) FROM receipts ORDER BY id")
            .map { $0.replacing(".", with: "") }
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt that cannot be parsed leaves its hash, length and reason only`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let (garbage, later) = (Self.large("a"), Self.large("b"))
        #expect(try await reject(garbage, .malformed, in: ledger) == .rejected)
        try await enqueue(later, in: ledger)
        #expect(try await sizes(in: ledger) == ["r_a_1 0", "r_b_1 60"])
        #expect(try await reject(later, .malformed, in: ledger) == .rejected)
        #expect(try await sizes(in: ledger) == ["r_a_1 0", "r_b_1 0"])
        for sent in [garbage, later] {
            let recorded = try #require(try await ledger.trail().first { $0.contains(sent.id) })
            #expect(recorded.contains("\"length\":60") && recorded.contains("\"sha256\":\"\(sent.digest.hex)\""))
            #expect(try await ledger.answer(to: sent) == "rejected malformed keep")
        }
        #expect(
            try await ledger.rows("SELECT CAST(sum(bytes) AS BIGINT) FROM receiptBytes") == ["0"], "it takes up no room"
        )
    }

    @Test(arguments: LedgerKind.allCases)
    func `The bytes of refused receipts have a daily budget`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        for name in ["a", "b"] { #expect(try await reject(Self.large(name), in: ledger) == .rejected) }
        try await expect(.rejected, ledger) { _ = try await reject(Self.large("c"), in: ledger) }
        #expect(try await reject(Self.large("a"), in: ledger) == .rejected, "it is kept already")
        #expect(try await reject(Self.large("d", by: 2), in: ledger) == .rejected, "another account")
        try await expect(.rejected, ledger) { _ = try await reject(Self.large("e", by: 3), in: ledger) }
        #expect(try await reject(Self.large("e", by: 3, at: "b"), in: ledger) == .rejected, "another address")
        #expect(try await reject(Self.large("e", by: 3, at: nil), in: ledger) == .rejected)
        #expect(try await reject(Self.large("c"), in: ledger, on: day(101)) == .rejected, "another day")
    }

    /// Genuine receipts that wait are not turned away because of forgeries, nor the other way round.
    @Test(arguments: LedgerKind.allCases)
    func `Waiting and refused receipts have separate budgets`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for name in ["a", "b"] { #expect(try await reject(Self.large(name), in: ledger) == .rejected) }
        for name in ["c", "d"] { try await enqueue(Self.large(name), in: ledger) }
        try await expect(.pending, ledger) { try await enqueue(Self.large("e"), in: ledger) }
        for name in ["f", "g", "h"] { #expect(try await verify(Self.large(name), in: ledger) == .verified) }
        #expect(
            try await sizes(in: ledger) == [
                "r_a_1 60", "r_b_1 60", "r_c_1 60", "r_d_1 60", "r_f_1 60", "r_g_1 60", "r_h_1 0",
            ], "what is delivered beyond the budget is delivered")
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt that has its answer makes room in the budget`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for number in 0..<6 {
            try await enqueue(Self.large("a\(number)"), in: ledger)
            #expect(try await verify(Self.large("a\(number)"), in: ledger) == .verified)
        }
        for number in 0..<6 {
            try await enqueue(Self.large("b\(number)"), in: ledger)
            #expect(try await reject(Self.large("b\(number)"), .notFound, in: ledger) == .rejected)
        }
        let used = try await ledger.rows("SELECT kind, bytes FROM receiptBytes ORDER BY kind, bytes")
        #expect(used == ["pending 0", "pending 0", "rejected 120", "rejected 120", "verified 120", "verified 120"])
        #expect(try await ledger.rows("SELECT sum(length(content)) FROM receipts") == ["240"])
        #expect(try await ledger.rows("SELECT 1 FROM receipts WHERE addressDigest IS NOT NULL") == [])
    }

    /// Data that the App Store signs as a whole cannot be varied.
    @Test(arguments: LedgerKind.allCases)
    func `Verified signed transactions are stored outside the budget`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for number in 0..<5 {
            let sent = Self.large("\(number)", kind: .signedTransaction)
            #expect(try await verify(sent, in: ledger) == .verified)
        }
        #expect(try await ledger.rows("SELECT sum(length(content)) FROM receipts") == ["300"])
    }

    /// An app receipt of many years is not a forgery because of its length.
    @Test(arguments: LedgerKind.allCases)
    func `A waiting receipt larger than the budget is stored when nothing else is`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var huge = Self.large("huge")
        huge.content = String(repeating: "x", count: 1_000)
        try await enqueue(huge, in: ledger)
        try await expect(.pending, ledger) { try await enqueue(Self.large("a"), in: ledger) }
        var other = huge
        (other.id, other.digest) = ("r_other", Data("other".utf8))
        #expect(try await reject(other, .bundleID, in: ledger) == .rejected, "it would never fit")
        #expect(try await sizes(in: ledger).contains("r_other 0"))
    }

    /// Bytes that were not stored are stored when the store is to be asked about them later.
    @Test(arguments: LedgerKind.allCases)
    func `Bytes that were dropped are stored when the receipt is sent again to wait`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        #expect(try await reject(Self.large("a"), .malformed, in: ledger) == .rejected)
        try await enqueue(Self.large("a"), in: ledger)
        #expect(try await sizes(in: ledger) == ["r_a_1 60"])
        try await ledger.ledger.postpone(Self.large("a"), attempts: Attempts(count: 1), until: day(101), at: today)
        let due = try await ledger.ledger.dueReceipts(in: .receipts, limit: 9, lease: day(200), at: day(102))
        #expect(due.map(\.receipt.content) == [Self.large("a").content])
        #expect(try await reject(Self.large("a"), .malformed, in: ledger) == .rejected)
        #expect(try await sizes(in: ledger) == ["r_a_1 0"])
    }

    @Test func `The budgets count on after a restart`() async throws {
        let file = try LedgerFile()
        let ledger = try file.open()
        try await ledger.join(1)
        for name in ["a", "b"] { #expect(try await reject(Self.large(name), in: ledger) == .rejected) }
        let reopened = try file.open()
        try await expect(.rejected, reopened) { _ = try await reject(Self.large("c"), in: reopened) }
    }

    @Test func `Several servers share the budgets`() async throws {
        let url = try PostgresServer.shared.get().newLedger()
        let servers = try (0..<2).map { _ in
            TestLedger(try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient))
        }
        try await servers[0].join(1)
        let refusals = try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        _ = try await reject(Self.large("\(number)"), in: servers[number % 2])
                        return 0
                    } catch LedgerRefusal.tooManyBytes { return 1 }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(refusals == 18)
        #expect(try await servers[0].rows("SELECT sum(length(content)) FROM receipts") == ["120"])
    }

    /// Two rows for each account and address of a day; those of days that are over are deleted.
    @Test(arguments: LedgerKind.allCases)
    func `The counts of days that are over are deleted`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var most = 0
        for number in 0..<60 {
            _ = try await reject(Self.large("\(number)", at: "address \(number)"), in: ledger, on: day(100 + number))
            most = max(most, Int(try await ledger.rows("SELECT count(*) FROM receiptBytes")[0]) ?? .max)
        }
        #expect(most <= 6)
    }

    /// Another server's clock may be behind: the day before is not over for it.
    @Test(arguments: LedgerKind.allCases)
    func `The budget of the day before is still counted`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for name in ["a", "b"] { #expect(try await reject(Self.large(name), in: ledger) == .rejected) }
        for name in ["c", "d"] { #expect(try await reject(Self.large(name), in: ledger, on: day(101)) == .rejected) }
        try await expect(.rejected, ledger) { _ = try await reject(Self.large("e"), in: ledger) }
    }

    /// Nobody can read an address out of a ledger.
    @Test func `Addresses are stored as digests`() async throws {
        let ledger = try LedgerKind.sqliteInMemory.open()
        try await ledger.join(1)
        try await enqueue(Self.large("a", at: "192.0.2.7"), in: ledger)
        #expect(try await !ledger.everything().contains { $0.contains("192.0.2.7") })
    }

    @Test(arguments: [(-1, -1), (0, 0), (86_399_999, 0), (86_400_000, 1), (-86_400_001, -2)])
    func `The days of budgets are those of UTC`(milliseconds: Int, number: Int) {
        let date = Date(milliseconds: milliseconds)
        #expect(ReceiptByteBudgets.day(of: date) == number)
        #expect(ReceiptByteBudgets.dayEnd(of: date) == Date(milliseconds: (number + 1) * 86_400_000))
    }
}
