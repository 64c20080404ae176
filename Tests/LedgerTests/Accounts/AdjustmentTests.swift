import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// An administrator gives credits and takes them back.
@Suite struct AdjustmentTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        return ledger
    }

    @Test(arguments: LedgerKind.allCases)
    func `An adjustment counts once per idempotency key`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await ledger.adjust(5, key: "a") == 15)
        #expect(try await ledger.adjust(-3, key: "b") == 12)
        #expect(try await ledger.adjust(5, key: "a") == 15)
        #expect(try await ledger.adjust(5, key: "a", of: 2) == 5)
        #expect(try await ledger.holdings(of: 1).hasSuffix("+ hints 12"))
        #expect(
            try await ledger.rows(
                "SELECT amount, kind, product, cause FROM postings WHERE kind = 'adjustment' ORDER BY sequence")
                == ["5 adjustment  a", "-3 adjustment  b", "5 adjustment  a"])
        let first: [String] = Array(try await ledger.acts().prefix(2))
        #expect(
            first == [
                #"credits.adjusted admin:alice a {"after":{"balance":15},"amount":5,"app":"hangman","before":"#
                    + #"{"balance":10},"currency":"hints","environment":"Production","reason":"ticket 7"}"#,
                #"credits.adjusted admin:alice b {"after":{"balance":12},"amount":-3,"app":"hangman","before":"#
                    + #"{"balance":15},"currency":"hints","environment":"Production","reason":"ticket 7"}"#,
            ])
    }

    /// A key of a player's spend has nothing to do with the key of an adjustment.
    @Test(arguments: LedgerKind.allCases)
    func `A key is refused for another adjustment, and spends have keys of their own`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await ledger.spend(3, key: "k") == 7)
        #expect(try await ledger.adjust(3, key: "k") == 10)
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.idempotencyKeyReused) { try await ledger.adjust(4, key: "k") }
        await #expect(throws: LedgerRefusal.idempotencyKeyReused) { try await ledger.adjust(3, "coins", key: "k") }
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.adjust(3, key: "k", of: 9) }
        #expect(try await ledger.everything() == before)
    }

    /// Credits that were spent already are made up by those earned next; until then nothing can be spent.
    @Test(arguments: LedgerKind.allCases)
    func `An adjustment may make a balance negative`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        _ = try await ledger.spend(8, key: "s")
        #expect(try await ledger.adjust(-10, key: "a") == -8)
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(1, key: "t") }
        try await ledger.record(receipt("b"), bought("hints", "2"))
        #expect(try await ledger.spend(1, key: "t") == 1)
    }

    /// The credits of the history are counted without adjustments: later receipts take none of them back.
    @Test(arguments: LedgerKind.allCases) func `Later receipts do not undo adjustments`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        _ = try await ledger.adjust(100)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        try await ledger.record(receipt("b"), bought("hints", "1", revoked: day(94), signed: day(95)))
        #expect(try await ledger.holdings(of: 1).hasSuffix("+ hints 100"))
        let columns = "account, app, environment, currency"
        #expect(
            try await ledger.rows("SELECT \(columns), amount FROM balances ORDER BY \(columns)")
                == (try await ledger.rows(
                    "SELECT \(columns), sum(amount) FROM postings GROUP BY \(columns) ORDER BY \(columns)")))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Fifty adjustments at once with one key count once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let balances = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await ledger.adjust(7) } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(balances == [17])
        #expect(try await ledger.acts().count == 1)
    }

    @Test(
        arguments: [
            (0, "hints"), (1_000_000_001, "hints"), (-1_000_000_001, "hints"), (.max, "hints"), (.min, "hints"),
            (1, ""), (1, Currency(stored: String(repeating: "x", count: 65))),
        ] as [(Int, Currency)])
    func `An adjustment of nothing, too much or of an invalid currency is refused`(amount: Int, currency: Currency) {
        let scope = Scope(app: "hangman", environment: .production)
        #expect(
            Adjustment(account: account(1), scope: scope, currency: currency, amount: amount, idempotencyKey: "k")
                == nil)
    }
}
