import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@Suite struct RefundTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1)
        return ledger
    }

    static let refunded = bought("starter", "1", revoked: day(94), signed: day(95))
    static let owned = "= hangman starter non-consumable granted [starter]\n+ hints 3"
    static let lost = "= hangman starter non-consumable denied revoked [starter]\n+ hints 0"

    @Test(arguments: LedgerKind.allCases) func `A refund takes access and credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        #expect(
            try await ledger.record(receipt("b"), Self.refunded)
                == "verified finish\n1 starter: already delivered\n\(Self.lost)")
        #expect(
            try await ledger.rows("SELECT kind, amount, cause FROM postings ORDER BY sequence") == [
                "credit 3 r_a_1", "refund -3 r_b_1",
            ])
    }

    /// Credits that are spent already are owed.
    @Test(arguments: LedgerKind.allCases)
    func `A refund of spent credits makes the balance negative until it is reversed`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(try await ledger.spend(4, key: "k") == 6)
        try await ledger.record(receipt("b"), bought("hints", "1", revoked: day(94), signed: day(95)))
        #expect(try await ledger.holdings(of: 1) == "= hangman hints consumable denied revoked\n+ hints -4")
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(1, key: "l") }
        try await ledger.record(receipt("c"), bought("hints", "2"))
        #expect(try await ledger.holdings(of: 1) == "= hangman hints consumable denied consumed\n+ hints 6")
    }

    /// The refund is seen before the purchase: it is kept for it, and nothing is delivered.
    @Test(arguments: LedgerKind.allCases)
    func `A refund that is seen before its purchase counts`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let rest =
            "verified finish\n1 starter: denied revoked\n= hangman starter non-consumable denied revoked [starter]"
        #expect(try await ledger.record(receipt("b"), Self.refunded) == rest)
        #expect(try await ledger.record(receipt("a"), bought("starter", "1")) == rest)
        #expect(try await ledger.rows("SELECT 1 FROM deliveries UNION ALL SELECT 1 FROM postings") == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A refund of one of two purchases leaves the other`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"), bought("starter", "2", quantity: 2))
        try await ledger.record(receipt("b"), Self.refunded)
        #expect(try await ledger.holdings(of: 1) == "= hangman starter non-consumable granted [starter]\n+ hints 6")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var copies: [Transaction]
        var isOwned: Bool
    }

    static let old = bought("starter", "1")
    static let unsigned = bought("starter", "1", signed: day(99), isSigned: false)
    static let reversed = bought("starter", "1", signed: day(98))
    static let cases = [
        Case(testDescription: "older copies", copies: [old, refunded, old], isOwned: false),
        Case(testDescription: "later unsigned copies", copies: [old, refunded, unsigned], isOwned: false),
        Case(testDescription: "a later signed copy reverses", copies: [old, refunded, reversed], isOwned: true),
        Case(testDescription: "and holds", copies: [refunded, reversed, old, unsigned], isOwned: true),
        Case(
            testDescription: "until it is refunded again",
            copies: [refunded, reversed, bought("starter", "1", revoked: day(99), signed: day(99))], isOwned: false),
        Case(
            testDescription: "a refund that an unsigned copy tells",
            copies: [old, bought("starter", "1", revoked: day(97), signed: day(97), isSigned: false)], isOwned: false),
    ]

    /// In any order, in receipts of their own and in one.
    @Test(arguments: LedgerKind.allCases, cases)
    func `The newest of purchase, refund and reversal counts in any order`(kind: LedgerKind, example: Case) async throws
    {
        for order in permutations(of: example.copies) {
            let ledger = try await open(kind)
            for (number, copy) in order.enumerated() { try await ledger.record(receipt("\(number)"), copy) }
            let holdings = try await ledger.holdings(of: 1)
            if example.isOwned {
                #expect(holdings == Self.owned)
            } else {
                // Credits that were never posted are not shown as 0.
                #expect(holdings.replacing("\n+ hints 0", with: "") == Self.lost.replacing("\n+ hints 0", with: ""))
            }
        }
    }

    private func permutations(of copies: [Transaction]) -> [[Transaction]] {
        guard let first = copies.first else { return [[]] }
        return permutations(of: Array(copies.dropFirst())).flatMap { rest in
            (0...rest.count).map { place in Array(rest.prefix(place)) + [first] + rest.dropFirst(place) }
        }
    }
}
