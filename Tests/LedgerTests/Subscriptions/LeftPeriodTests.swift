import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Periods that the customer left for another product of the subscription: the store pays back the rest of their time.
@Suite struct LeftPeriodTests {
    /// A year of 360 days with 90 gems, or a month of 30 days with 7.
    private static func period(
        _ product: ProductID, _ id: TransactionID, on start: Int, seconds: Double = 0, price: Int? = nil,
        upgradedAt end: Int? = nil, revoked: Date? = nil, share: Int? = nil,
        ownershipType: Transaction.OwnershipType = .purchased, signed: Int? = nil
    ) -> Transaction {
        let date = day(start) + seconds
        let usual = date + (product == "club.year" ? 360 : 30) * 86_400
        var period = bought(
            product, id, original: "1", on: date, until: end.map { day($0) } ?? usual, revoked: revoked, share: share,
            upgraded: end != nil, ownershipType: ownershipType, signed: day(signed ?? end ?? start) + seconds)
        period.details = PurchaseDetails()
        period.details?.price = price
        period.details = period.details?.nonEmpty
        return period
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var copies: [Transaction]
        var gems: Int
    }

    private static let year = period("club.year", "1", on: 0)

    static let cases: [Case] = [
        Case(testDescription: "a year alone", copies: [year], gems: 90),
        Case(
            testDescription: "left after a quarter: 67 of 90 are taken",
            copies: [year, period("club.month", "2", on: 90)], gems: 23 + 7),
        Case(
            testDescription: "the first period of another product counts",
            copies: [year, period("club.month", "2", on: 90), period("club.month", "3", on: 120)], gems: 23 + 7 + 7),
        Case(
            testDescription: "yearly, monthly, and yearly anew, within days",
            copies: [
                year, period("club.month", "2", on: 1), period("club.year", "3", on: 2),
                period("club.month", "4", on: 3),
            ], gems: 1 + 1 + 1 + 7),
        Case(
            testDescription: "a copy says that it was upgraded, and ends it",
            copies: [year, period("club.year", "1", on: 0, upgradedAt: 90), period("club.month", "2", on: 90)],
            gems: 23 + 7),
        Case(
            testDescription: "the end of a copy that does not say so counts",
            copies: [
                period("club.month", "1", on: 0, signed: 0), period("club.year", "2", on: 30),
            ], gems: 7 + 90),
        Case(
            testDescription: "an overlap of less than a minute is none",
            copies: [period("club.month", "1", on: 0), period("club.year", "2", on: 30, seconds: -59)], gems: 7 + 90),
        Case(
            testDescription: "a renewal of the same product leaves nothing",
            copies: [year, period("club.year", "2", on: 90)], gems: 180),
        Case(
            testDescription: "a period that cost nothing is not paid back",
            copies: [period("club.year", "1", on: 0, price: 0), period("club.month", "2", on: 90)], gems: 90 + 7),
        Case(
            testDescription: "what the family shares leaves nothing",
            copies: [year, period("club.month", "2", on: 90, ownershipType: .familyShared)], gems: 90),
        Case(
            testDescription: "beside a refund the larger counts: the refund",
            copies: [
                period("club.year", "1", on: 0, revoked: day(91), share: 80_000, signed: 91),
                period("club.month", "2", on: 90),
            ], gems: 18 + 7),
        Case(
            testDescription: "beside a refund the larger counts: the time",
            copies: [
                period("club.year", "1", on: 0, revoked: day(91), share: 10_000, signed: 91),
                period("club.month", "2", on: 90),
            ], gems: 23 + 7),
    ]

    private func gems(_ ledger: TestLedger) async throws -> Int {
        let scope = Scope(app: "hangman", environment: .production)
        return try await ledger.ledger.balances(of: account(1), scope: scope, in: try ledger.context())["gems"] ?? 0
    }

    /// However the copies arrive: one by one, in the other order, or together.
    @Test(arguments: LedgerKind.allCases, cases)
    func `The share of a period that was left is taken back`(kind: LedgerKind, example: Case) async throws {
        for copies in [example.copies, example.copies.reversed()] {
            let ledger = try kind.open()
            try await ledger.join(1)
            for (place, copy) in copies.enumerated() { try await ledger.record(receipt("\(place)"), copy) }
            #expect(try await gems(ledger) == example.gems)
            for (place, copy) in copies.enumerated() { try await ledger.record(receipt("again \(place)"), copy) }
            #expect(try await gems(ledger) == example.gems)
            let differences = try await ledger.differences()
            #expect(differences == [])
        }
        let ledger = try kind.open()
        try await ledger.join(1)
        let verified = VerifiedReceipt(transactions: example.copies)
        _ = try await ledger.ledger.record(receipt("all"), .success(verified), in: try ledger.context())
        #expect(try await gems(ledger) == example.gems)
    }

    @Test(arguments: LedgerKind.allCases)
    func `It is a posting of its own kind, to the account that received the credits`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), Self.year)
        try await ledger.move("1", to: 2)
        try await ledger.record(receipt("b", by: 2), Self.period("club.month", "2", on: 101), on: day(102))
        let postings = try await ledger.rows("SELECT account, kind, amount FROM postings ORDER BY sequence")
        #expect(
            postings.sorted() == [
                "\(account(1).text) credit 90", "\(account(1).text) upgraded -64", "\(account(2).text) credit 7",
            ])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Credits of a period that was left stay where the product says so`(kind: LedgerKind) async throws {
        let json = shop.replacing(
            #""credits": {"gems": 90}}"#, with: #""credits": {"gems": 90}, "upgradedCredits": "keep"}"#)
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), Self.year, in: try catalog(json))
        try await ledger.record(receipt("b"), Self.period("club.month", "2", on: 90), in: try catalog(json))
        #expect(try await gems(ledger) == 97)
        #expect(try await ledger.differences() == [])
    }
}
