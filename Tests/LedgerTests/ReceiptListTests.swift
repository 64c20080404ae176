import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Receipts that wait or were refused, listed for the operator.
@Suite struct ReceiptListTests {
    private func ids(
        _ status: ListedReceipt.Status, after id: String? = nil, limit: Int = 9, in ledger: TestLedger
    ) async throws -> [String]? {
        try await ledger.ledger.receipts(status, after: id, limit: limit)?.map {
            "\($0.account.text.last ?? "-") \($0.facts.id)"
        }
    }

    @Test(arguments: LedgerKind.allCases) func theOldestComeFirst(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.reject(receipt("b"), .unsupported, on: day(102))
        try await ledger.reject(receipt("a", by: 2), .signature, on: day(103))
        try await ledger.reject(receipt("c"), .unsupported, on: day(102))
        try await ledger.record(receipt("d"), bought("hints", "1"))
        _ = try await ledger.ledger.enqueue(receipt("e"), retryAt: day(104), at: day(101))
        #expect(try await ids(.rejected, in: ledger) == ["1 r_b_1", "1 r_c_1", "2 r_a_2"])
        #expect(try await ids(.rejected, limit: 2, in: ledger) == ["1 r_b_1", "1 r_c_1"])
        #expect(try await ids(.rejected, after: "r_b_1", in: ledger) == ["1 r_c_1", "2 r_a_2"])
        #expect(try await ids(.rejected, after: "r_a_2", in: ledger) == [])
        #expect(try await ids(.rejected, after: "r_none", in: ledger) == nil)
        #expect(try await ids(.pending, in: ledger) == ["1 r_e_1"])
        let facts = try #require(try await ledger.ledger.receipts(.rejected, after: nil, limit: 1)?.first?.facts)
        #expect(facts.rejection == .unsupported && facts.kind == .signedTransaction && facts.recordedAt == day(102))
    }
}
