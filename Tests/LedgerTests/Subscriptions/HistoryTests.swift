import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Entitlements and balances are a function of the facts: any order, any duplicates and any split into receipts give
/// the same.
@Suite struct HistoryTests {
    static let seeds = campaign(of: 25)

    @Test(arguments: LedgerKind.allCases, seeds)
    func `Entitlements and balances are the same for receipts in any order`(kind: LedgerKind, seed: UInt64) async throws
    {
        var generator = SeededGenerator(seed: seed)
        let history = HistoryMaker(using: &generator)
        let inOrder = history.pieces.map { (by: $0.senders.count == 1 ? $0.senders[0] : 1, copies: [$0.copy]) }
        let expected = try await outcome(of: inOrder, in: try kind.open())
        #expect(expected.credits == history.credits)
        for _ in 0..<3 {
            let ledger = try kind.open()
            let receipts = history.receipts(using: &generator)
            try #require(try await outcome(of: receipts, in: ledger) == expected)
            try await checkBalances(of: ledger)
            #expect(try await ledger.differences() == [])
            let postings = try await ledger.rows("SELECT * FROM postings")
            #expect(try await outcome(of: receipts, in: ledger, joining: false) == expected)
            #expect(try await ledger.rows("SELECT * FROM postings") == postings)
        }
    }

    private struct Outcome: Equatable {
        var entitlements: [String] = []
        var credits: [UInt8: Credits] = [:]
    }

    private func outcome(
        of receipts: [(by: UInt8, copies: [Transaction])], in ledger: TestLedger, joining: Bool = true
    ) async throws -> Outcome {
        if joining { try await ledger.join(1, 2) }
        let context = try ledger.context(on: HistoryMaker.present)
        for (number, sent) in receipts.enumerated() {
            _ = try await ledger.ledger.record(
                receipt("\(number)", by: sent.by), .success(VerifiedReceipt(transactions: sent.copies)), in: context)
        }
        var outcome = Outcome()
        for digit in [UInt8(1), 2] {
            for date in [day(20), day(70), HistoryMaker.present] {
                outcome.entitlements += try await ledger.ledger.entitlements(
                    of: account(digit), in: try ledger.context(on: date)
                ).map(\.text)
            }
            let scope = Scope(app: "hangman", environment: .production)
            outcome.credits[digit] = try await ledger.ledger.balances(of: account(digit), scope: scope, in: context)
                .filter { $0.value != 0 }
        }
        return outcome
    }

    private func checkBalances(of ledger: TestLedger) async throws {
        let columns = "account, app, environment, currency"
        let sums = try await ledger.rows(
            "SELECT \(columns), sum(amount) FROM postings GROUP BY \(columns) ORDER BY \(columns)")
        #expect(try await ledger.rows("SELECT \(columns), amount FROM balances ORDER BY \(columns)") == sums)
    }
}
