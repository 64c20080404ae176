import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Provisional access leaves no trace in what is recorded.
@Suite struct ProvisionalHistoryTests {
    /// Whatever was opened meanwhile, and in whatever order the store answers, what is recorded is the same.
    @Test(arguments: LedgerKind.allCases, HistoryTests.seeds)
    func `The recorded result is the same with and without provisional access`(kind: LedgerKind, seed: UInt64)
        async throws
    {
        var generator = SeededGenerator(seed: seed)
        let history = HistoryMaker(using: &generator)
        let receipts = history.receipts(using: &generator).enumerated().map { number, sent in
            Waiting(
                receipt: receipt("\(number)", by: sent.by), copies: sent.copies,
                isRejected: generator.pick(false, false, true))
        }
        let waves = stride(from: 0, to: receipts.count, by: 7).map { start in
            Array(receipts[start..<min(start + 7, receipts.count)])
        }.map { ($0, $0.shuffled(using: &generator)) }
        let (plain, wide) = (try kind.open(), try kind.open())
        for ledger in [plain, wide] { try await ledger.join(1, 2) }
        for (sent, answered) in waves {
            for waiting in sent {
                _ = try await plain.ledger.enqueue(waiting.receipt, retryAt: Self.then, at: Self.then)
                try await wide.openProvisionally(waiting.receipt, copies: waiting.copies, on: Self.then)
                try await expectOnlyWider(than: plain, wide)
            }
            for waiting in answered { for ledger in [plain, wide] { try await answer(waiting, in: ledger) } }
        }
        let (expected, facts) = (try await plain.facts(), try await wide.facts())
        #expect(Set(facts).symmetricDifference(expected) == [] && facts.count == expected.count)
        for digit in [UInt8(1), 2] {
            let held = try await wide.wideHoldings(of: digit, on: Self.then)
            #expect(try await held == plain.holdings(of: digit, on: Self.then))
        }
        #expect(try await wide.differences() == [])
    }

    private struct Waiting {
        var receipt: Receipt
        var copies: [Transaction]
        var isRejected: Bool
    }

    /// While some of a history's subscriptions run.
    private static let then = day(70)

    private func answer(_ waiting: Waiting, in ledger: TestLedger) async throws {
        let result: Result<VerifiedReceipt, ReceiptRejection> =
            waiting.isRejected
            ? .failure(ReceiptRejection(.notFound)) : .success(VerifiedReceipt(transactions: waiting.copies))
        _ = try await ledger.ledger.record(waiting.receipt, result, in: try ledger.context(on: Self.then))
    }

    private func expectOnlyWider(than plain: TestLedger, _ wide: TestLedger) async throws {
        for digit in [UInt8(1), 2] {
            let context = try wide.context(on: Self.then, hours: 6)
            let granted = try await plain.ledger.entitlements(of: account(digit), in: context).filter(
                \.access.isGranted)
            let wider = try await wide.ledger.entitlements(of: account(digit), in: context).filter(\.access.isGranted)
            let more = wider.filter { entitlement in !granted.contains { $0.product == entitlement.product } }
            #expect(granted.allSatisfy { has in wider.contains { $0.product == has.product } })
            #expect(more.allSatisfy { $0.type != .consumable && $0.access == .granted(until: Self.then + 6 * 3_600) })
        }
    }
}
