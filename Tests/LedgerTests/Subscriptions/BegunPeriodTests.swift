import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// The App Store signs a renewal up to a day before its period begins. Access goes on at once; its credits come when it
/// begins, whether anybody asks or not.
@Suite struct BegunPeriodTests {
    private static let first = bought("club.month", "1", on: day(60), until: day(90), signed: day(60))
    private static let renewal = bought("club.month", "2", original: "1", on: day(90), until: day(120), signed: day(89))

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    /// Does what the server does every few seconds.
    private func credit(_ ledger: TestLedger, on date: Date) async throws -> Int {
        let count = try await ledger.ledger.creditBegunPeriods(in: try ledger.context(on: date))
        #expect(try await ledger.differences() == [])
        return count
    }

    @Test(arguments: LedgerKind.allCases)
    func `The credits of a renewal are posted when it begins, once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first, on: day(60))
        let answer = try await ledger.record(receipt("b"), Self.renewal, on: day(89))
        #expect(answer.contains("2 club.month: delivered"), "\(answer)")
        let ahead = "= hangman club.month auto-renewable granted until 2026-05-01T00:00:00Z\n+ gems 7"
        #expect(try await ledger.holdings(of: 1, on: day(89)) == ahead)
        #expect(try await credit(ledger, on: day(90) - 1) == 0)
        #expect(try await ledger.holdings(of: 1, on: day(90) - 1) == ahead)
        #expect(try await credit(ledger, on: day(90)) == 1)
        #expect(try await ledger.holdings(of: 1, on: day(90)).hasSuffix("gems 14"))
        #expect(try await credit(ledger, on: day(90)) == 0)
        try await ledger.record(receipt("c"), Self.renewal, on: day(91))
        let posted = "SELECT kind, amount, postedAt FROM postings ORDER BY sequence"
        let dates = [day(60), day(90)].map { "credit 7 \($0.milliseconds)" }
        #expect(try await ledger.rows(posted) == dates)
    }

    /// Every act may come before the beginning, or after it and before the ledger's next look.
    @Test(arguments: LedgerKind.allCases, [day(89), day(90) + 1])
    func `Copies and refunds around the beginning`(kind: LedgerKind, date: Date) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first, on: day(60))
        try await ledger.record(receipt("b"), Self.renewal, on: day(89))
        var copy = Self.renewal
        copy.id = "3"
        try await ledger.record(receipt("c"), copy, on: date)
        #expect(try await ledger.differences() == [])
        let credited = date < day(90) ? 7 : 14
        #expect(try await ledger.holdings(of: 1, on: date).hasSuffix("gems \(credited)"))
        _ = try await credit(ledger, on: day(90) + 10)
        #expect(try await ledger.holdings(of: 1, on: day(90) + 10).hasSuffix("gems 14"))
        #expect(try await credit(ledger, on: day(90) + 20) == 0)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A refund before the beginning leaves no credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first, Self.renewal, on: day(89))
        var refunded = Self.renewal
        refunded.revocation = Transaction.Revocation(date: day(89) + 60, reason: 0)
        refunded.signedDate = day(89) + 60
        try await ledger.record(receipt("b"), refunded, on: day(89) + 120)
        #expect(try await credit(ledger, on: day(91)) == 1)
        #expect(try await ledger.rows("SELECT kind, amount FROM postings") == ["credit 7"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `The credits go to the owner at the beginning's payment, not to a later one`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first, on: day(60))
        try await ledger.record(receipt("b"), Self.renewal, on: day(89))
        try await ledger.move("1", to: 2, on: day(89) + 3_600)
        #expect(try await credit(ledger, on: day(90)) == 1)
        #expect(try await ledger.holdings(of: 2, on: day(91)).contains("granted until 2026-05-01T00:00:00Z"))
        let credited = try await ledger.rows("SELECT account, sum(amount) FROM postings GROUP BY account ORDER BY 1")
        #expect(credited == ["\(account(1).text) 14"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A period of another product is delivered when it begins`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let year = bought("club.year", "1", on: day(60), until: day(90), signed: day(60))
        let answer = try await ledger.record(receipt("a"), year, Self.renewal, on: day(89))
        #expect(answer.contains("2 club.month: denied notStarted"), "\(answer)")
        #expect(try await ledger.holdings(of: 1, on: day(89)).hasSuffix("gems 90"))
        #expect(try await credit(ledger, on: day(90)) == 1)
        #expect(try await ledger.holdings(of: 1, on: day(90)).hasSuffix("gems 97"))
        let again = try await ledger.record(receipt("b"), Self.renewal, on: day(91))
        #expect(again.contains("2 club.month: delivered"), "\(again)")
        #expect(try await ledger.record(receipt("c"), Self.renewal, on: day(91)).contains("already delivered"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `A first purchase that begins later gives nothing until then`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let answer = try await ledger.record(
            receipt("a"), bought("club.month", "1", on: day(90), until: day(120), signed: day(80)), on: day(80))
        #expect(answer.contains("1 club.month: denied notStarted") && answer.hasPrefix("verified finish"), "\(answer)")
        #expect(try await ledger.holdings(of: 1, on: day(80)).contains("denied notStarted"))
        #expect(try await ledger.holdings(of: 1, on: day(90)).contains("granted"))
        #expect(try await credit(ledger, on: day(90)) == 1)
        #expect(try await ledger.holdings(of: 1, on: day(90)).hasSuffix("gems 7"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `What a sandbox reset forgot is not credited`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first, Self.renewal, on: day(89))
        let sql = try #require(ledger.ledger as? SQLLedger)
        _ = try await sql.database.write { db in
            try db.run("UPDATE transactions SET forgottenAt = 1 WHERE id = '2'", [])
        }
        #expect(try await ledger.ledger.creditBegunPeriods(in: try ledger.context(on: day(91))) == 0)
        try await ledger.record(receipt("b"), Self.renewal, on: day(92))
        #expect(try await ledger.holdings(of: 1, on: day(92)).hasSuffix("gems 14"))
    }
}
