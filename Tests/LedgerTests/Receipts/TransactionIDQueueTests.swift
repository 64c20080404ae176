import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// Transaction IDs that wait for the store; anybody can make them up.
@Suite struct TransactionIDQueueTests {
    private func id(_ number: Int, by digit: UInt8 = 1, at address: String? = "a") -> Receipt {
        Receipt(
            id: "r_\(number)", account: account(digit), kind: .transactionID, content: "\(number)",
            digest: Data("\(number)".utf8), address: address)
    }

    private func enqueue(_ receipt: Receipt, in ledger: TestLedger, until retry: Date = day(101)) async throws {
        _ = try await ledger.ledger.enqueue(receipt, retryAt: retry, at: today)
    }

    private func expectRefusal(_ receipt: Receipt, in ledger: TestLedger) async throws {
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.tooManyTransactionIDs) { try await enqueue(receipt, in: ledger) }
        #expect(try await ledger.everything() == before)
    }

    @Test(arguments: LedgerKind.allCases)
    func `At most twenty transaction IDs of an account wait, beside its receipts`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        for number in 1...20 { try await enqueue(id(number), in: ledger) }
        try await expectRefusal(id(21), in: ledger)
        try await enqueue(id(20), in: ledger)
        try await enqueue(id(22, by: 2), in: ledger)
        for number in 1...20 { try await enqueue(receipt("\(number)"), in: ledger) }
        try await ledger.reject(id(1), .notFound)
        try await enqueue(id(21), in: ledger)
    }

    @Test(arguments: LedgerKind.allCases)
    func `At most two hundred transaction IDs of an address wait`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for digit in 1...11 { try await ledger.join(UInt8(digit)) }
        for number in 0..<200 { try await enqueue(id(number, by: UInt8(1 + number / 20)), in: ledger) }
        try await expectRefusal(id(200, by: 11), in: ledger)
        try await enqueue(id(201, by: 11, at: "b"), in: ledger)
        try await enqueue(id(202, by: 11, at: nil), in: ledger)
        try await ledger.reject(id(0), .notFound)
        try await enqueue(id(200, by: 11), in: ledger)
    }

    @Test func `At most ten thousand transaction IDs wait`() async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.join(1)
        try await sqlite.execute(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
            INSERT INTO receipts (id, account, digest, kind, status, recordedAt, retryAt, mayTransfer, isForDevice, app,
                content, addressDigest)
            SELECT 'm' || n, '\(account(1).text)', CAST(n AS BLOB), 'transactionID', 'verified', 0, 0, 1, 0, '', '',
                CAST(n AS BLOB) FROM numbers
            """)
        try await expectRefusal(id(20_000), in: ledger)
        try await sqlite.execute("UPDATE receipts SET retryAt = NULL WHERE id = 'm1'")
        try await enqueue(id(20_000), in: ledger)
    }

    /// Those of an address wait for each other, and keep neither receipts nor those of others from their turn.
    @Test(arguments: LedgerKind.allCases)
    func `Each address has its share of the transaction IDs that are asked about`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        for number in 1...9 { try await enqueue(id(number), in: ledger) }
        try await enqueue(id(10, by: 2, at: "b"), in: ledger, until: day(102))
        try await enqueue(id(11, by: 2, at: nil), in: ledger, until: day(103))
        try await enqueue(receipt("a", by: 2), in: ledger, until: day(104))
        func due(_ queue: ReceiptQueue, _ limit: Int) async throws -> [String] {
            try await ledger.ledger.dueReceipts(in: queue, limit: limit, lease: day(1_000), at: day(200))
                .map(\.receipt.content)
        }
        #expect(try await due(.transactionIDs, 4).sorted() == ["1", "10", "11", "2"])
        #expect(try await due(.receipts, 4) == ["a"])
        #expect(try await due(.transactionIDs, 100) == ["3", "4", "5", "6", "7", "8", "9"])
    }
}
