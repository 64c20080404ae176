import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@Suite struct SpendTests {
    /// A ledger whose account 1 has 10 hints and 5 coins.
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("coins", "2"))
        return ledger
    }

    private func hints(_ ledger: TestLedger) async throws -> Int? {
        let scope = Scope(app: "hangman", environment: .production)
        return try await ledger.ledger.balances(of: account(1), scope: scope, in: try ledger.context())["hints"]
    }

    @Test(arguments: LedgerKind.allCases)
    func `A spend counts once per idempotency key`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await ledger.spend(3, key: "k") == 7)
        #expect(try await ledger.spend(2, key: "l") == 5)
        #expect(try await ledger.spend(3, key: "k") == 7)
        #expect(try await hints(ledger) == 5)
        #expect(try await ledger.spend(5, key: "K") == 0)
        #expect(
            try await ledger.rows("SELECT amount, kind, cause FROM postings WHERE kind = 'spend' ORDER BY sequence")
                == ["-3 spend k", "-2 spend l", "-5 spend K"])
    }

    /// The same key with another amount or currency; the keys of another app and account are their own.
    @Test(arguments: LedgerKind.allCases)
    func `A key is refused for another spend, and apps and accounts have their own keys`(kind: LedgerKind) async throws
    {
        let ledger = try await open(kind)
        _ = try await ledger.spend(3, key: "k")
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.idempotencyKeyReused) { try await ledger.spend(4, key: "k") }
        await #expect(throws: LedgerRefusal.idempotencyKeyReused) { try await ledger.spend(3, "coins", key: "k") }
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(3, key: "k", app: "chess") }
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(3, key: "k", by: 2) }
        #expect(try await ledger.everything() == before)
    }

    @Test(
        arguments: LedgerKind.allCases,
        [(11, "hints"), (.max, "hints"), (6, "coins"), (1, "gems"), (1, "")] as [(Int, Currency)])
    func `A spend of more than the balance is refused and its key stays usable`(
        kind: LedgerKind, spend: (amount: Int, currency: Currency)
    ) async throws {
        let ledger = try await open(kind)
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.insufficientBalance) {
            try await ledger.spend(spend.amount, spend.currency, key: "k")
        }
        #expect(try await ledger.everything() == before)
        #expect(try await ledger.spend(10, key: "k") == 0)
    }

    /// A spend of less than 1 would be a gift.
    @Test(arguments: LedgerKind.allCases, [0, -1, .min])
    func `A spend of less than one is refused`(kind: LedgerKind, amount: Int) async throws {
        let ledger = try await open(kind)
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(amount, key: "k") }
        #expect(try await ledger.everything() == before)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Of fifty spends at once from ten credits ten succeed`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let balances = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<50 { group.addTask { try? await ledger.spend(1, key: "\(number)") } }
            return await group.reduce(into: [Int]()) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(balances.sorted() == Array(0..<10))
        #expect(try await hints(ledger) == 0)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Fifty spends at once with one key count once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let balances = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await ledger.spend(1, key: "k") } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(balances == [9])
        #expect(try await hints(ledger) == 9)
    }

    /// A balance is what was posted, also in the table that holds it ready.
    @Test(arguments: LedgerKind.allCases) func `A balance is the sum of its postings`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        _ = try await ledger.spend(3, key: "k")
        try await ledger.record(receipt("b"), bought("hints", "1", revoked: day(94), signed: day(95)))
        let columns = "account, app, environment, currency"
        #expect(
            try await ledger.rows("SELECT \(columns), amount FROM balances ORDER BY \(columns)")
                == (try await ledger.rows(
                    "SELECT \(columns), sum(amount) FROM postings GROUP BY \(columns) ORDER BY \(columns)")))
    }
}
