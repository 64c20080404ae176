import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Receipts that wait or were refused, listed for the operator.
@Suite struct ReceiptListTests {
    private func ids(
        _ status: ListedReceipt.Status, after id: String? = nil, limit: Int = 9, in ledger: TestLedger
    ) async throws -> [String]? {
        try await ledger.ledger.receipts(ReceiptListQuery(status, after: id, limit: limit))?.map {
            "\($0.account.text.last ?? "-") \($0.facts.id)"
        }
    }

    private func narrowed(_ query: ReceiptListQuery, to apps: BundleID...) -> ReceiptListQuery {
        var query = query
        query.reach = AdminReach(apps)
        return query
    }

    @Test(arguments: LedgerKind.allCases)
    func `Refused and waiting receipts are listed with the oldest first`(kind: LedgerKind) async throws {
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
        let facts = try #require(try await ledger.ledger.receipts(ReceiptListQuery(.rejected, limit: 1))?.first?.facts)
        #expect(facts.rejection == .unsupported && facts.kind == .signedTransaction && facts.recordedAt == day(102))
    }

    /// With every filter and in both orders, pages follow each other; the last trouble with the store stays with a
    /// receipt until there is an answer.
    @Test(arguments: LedgerKind.allCases)
    func `Listed receipts are filtered, in both orders and page by page`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        func sent(_ name: String, _ app: BundleID) -> Receipt {
            var receipt = receipt(name)
            receipt.app = app
            return receipt
        }
        let refused: [(String, BundleID, ReceiptRejection.Reason)] = [
            ("a", "hangman", .signature), ("b", "chess", .signature), ("c", "hangman", .malformed),
            ("d", "hangman", .signature),
        ]
        for (number, row) in refused.enumerated() {
            try await ledger.reject(sent(row.0, row.1), row.2, on: day(100 + number))
        }
        for (number, name) in ["x", "y", "z"].enumerated() {
            let receipt = sent(name, name == "y" ? "chess" : "hangman")
            _ = try await ledger.ledger.enqueue(receipt, retryAt: day(200), at: day(110 + number))
        }
        let queries: [(ReceiptListQuery, [String])] = [
            (ReceiptListQuery(.rejected, limit: 1), ["a", "b", "c", "d"]),
            (ReceiptListQuery(.rejected, app: "hangman", limit: 1), ["a", "c", "d"]),
            (ReceiptListQuery(.rejected, reason: .signature, limit: 1), ["a", "b", "d"]),
            (ReceiptListQuery(.rejected, app: "hangman", reason: .signature, limit: 1), ["a", "d"]),
            (ReceiptListQuery(.rejected, app: "other", limit: 1), []),
            (ReceiptListQuery(.pending, limit: 1), ["x", "y", "z"]),
            (ReceiptListQuery(.pending, app: "hangman", limit: 1), ["x", "z"]),
            (narrowed(ReceiptListQuery(.rejected, limit: 1), to: "hangman"), ["a", "c", "d"]),
            (narrowed(ReceiptListQuery(.rejected, limit: 1), to: "hangman", "chess"), ["a", "b", "c", "d"]),
            (narrowed(ReceiptListQuery(.rejected, app: "chess", limit: 1), to: "hangman"), []),
            (narrowed(ReceiptListQuery(.pending, limit: 1), to: "chess", "other"), ["y"]),
        ]
        let others = narrowed(ReceiptListQuery(.rejected, after: "r_b_1", limit: 1), to: "hangman")
        #expect(try await ledger.ledger.receipts(others) == nil, "of another app, as if there were none")
        for (query, names) in queries {
            for isNewestFirst in [false, true] {
                var (query, found) = (query, [String]())
                query.isNewestFirst = isNewestFirst
                while let last = try #require(try await ledger.ledger.receipts(query)).first {
                    found.append(last.facts.id)
                    query.after = last.facts.id
                }
                let expected = names.map { "r_\($0)_1" }
                #expect(found == (isNewestFirst ? expected.reversed() : expected), "\(query)")
            }
        }
        let trouble = Attempts(count: 1, trouble: .refusedCredential)
        try await ledger.ledger.postpone(sent("x", "hangman"), attempts: trouble, until: day(300), at: today)
        let waiting = try #require(try await ledger.ledger.receipts(ReceiptListQuery(.pending, limit: 9)))
        #expect(waiting.map(\.facts.attempts.trouble) == [.refusedCredential, nil, nil])
        try await ledger.reject(sent("x", "hangman"), .signature, on: day(120))
        #expect(try await ledger.rows("SELECT count(*) FROM receipts WHERE trouble IS NOT NULL") == ["0"])
    }
}
