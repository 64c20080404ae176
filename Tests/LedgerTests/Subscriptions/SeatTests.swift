import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Subscriptions for several people: seats are no units, and what adds seats to a period is no period.
@Suite struct SeatTests {
    /// A month of six seats from day 90; the App Store says that seats were added from the first copy after that on.
    private static func month(
        _ id: TransactionID = "2", seats: Int = 6, on date: Date = day(90), until end: Date = day(120),
        addition: Bool = false, price: Int? = 500, revoked: Date? = nil, revokedSeats: Int? = nil, item: String? = "71",
        reason: String = "PURCHASE", product: ProductID = "club.month", signed: Int = 91
    ) -> Transaction {
        var month = bought(
            product, id, original: "1", on: date, until: end, quantity: seats, revoked: revoked,
            signed: day(signed))
        var details = PurchaseDetails()
        details.price = price
        details.currency = "EUR"
        details.reason = reason
        details.webOrderLineItemID = item
        details.seats = SeatDetails(invitations: "APPLE", revoked: revokedSeats)
        if addition { details.additionalReason = "SEAT_ADDITION" }
        month.details = details
        return month
    }

    /// Two seats from day 100.
    private static func added(
        _ id: TransactionID = "3", revoked: Date? = nil, item: String? = "72", signed: Int = 100
    ) -> Transaction {
        month(
            id, seats: 2, on: day(100), addition: true, price: 330, revoked: revoked, item: item, signed: signed)
    }

    private static let later = day(101)
    private static let granted = Access.granted(until: day(120))

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var copies: [Transaction]
        var gems = 7
        var access = granted
    }

    static let cases: [Case] = [
        Case(testDescription: "credits are those of one seat", copies: [month()]),
        Case(testDescription: "added seats earn nothing", copies: [month(), added()]),
        Case(
            testDescription: "the period that has more seats goes on, also under a new statement",
            copies: [month(), added(), month(addition: true, signed: 100)]),
        Case(
            testDescription: "the first of the period's transactions is the period, whatever it says",
            copies: [month(addition: true), added()]),
        Case(
            testDescription: "with Apple's ID of the period they are no copy of it",
            copies: [month(), added(item: "71")]),
        Case(
            testDescription: "twice added", copies: [month(), added(), added("4", item: "73")]),
        Case(
            testDescription: "a refund of the added seats ends nothing",
            copies: [month(), added(revoked: day(100), signed: 101)]),
        Case(
            testDescription: "a refund of the added seats under the period's ID ends nothing",
            copies: [month(), added(revoked: day(100), item: "71", signed: 101)]),
        Case(
            testDescription: "a refund of some seats leaves the access",
            copies: [month(), month(revokedSeats: 4, signed: 95)]),
        Case(
            testDescription: "a refund of the period ends it, whatever was added",
            copies: [month(), added(), month(revoked: day(101), signed: 101)], gems: 0, access: .denied(.revoked)),
        Case(testDescription: "added seats alone are a period", copies: [added()]),
        Case(
            testDescription: "a renewal is a period of its own",
            copies: [
                month(on: day(60), until: day(90)),
                month("3", seats: 2, on: day(70), until: day(90), addition: true, item: "72"),
                month("5", seats: 3, on: day(90) - 100, addition: true, item: "76", reason: "RENEWAL"),
            ], gems: 14),
        Case(
            testDescription: "a purchase after a refund is one",
            copies: [
                month(revoked: day(95), signed: 96), month("5", on: day(96), addition: true, item: "74", signed: 97),
                added(),
            ]),
    ]

    private func gems(_ ledger: TestLedger) async throws -> Int {
        let scope = Scope(app: "hangman", environment: .production)
        return try await ledger.ledger.balances(of: account(1), scope: scope, in: try ledger.context(on: Self.later))[
            "gems"] ?? 0
    }

    private func check(_ example: Case, _ ledger: TestLedger) async throws {
        #expect(try await gems(ledger) == example.gems)
        let entitlements = try await ledger.ledger.entitlements(
            of: account(1), in: try ledger.context(on: Self.later))
        #expect(entitlements.map(\.access) == [example.access])
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases, cases)
    func `Seats count as what they are, whichever transaction comes first`(
        kind: LedgerKind, example: Case
    ) async throws {
        for copies in [example.copies, example.copies.reversed()] {
            let ledger = try kind.open()
            try await ledger.join(1)
            for (place, copy) in copies.enumerated() {
                try await ledger.record(receipt("\(place)"), copy, on: Self.later)
            }
            try await check(example, ledger)
            for (place, copy) in copies.enumerated() {
                try await ledger.record(receipt("again \(place)"), copy, on: Self.later)
            }
            try await check(example, ledger)
        }
        let ledger = try kind.open()
        try await ledger.join(1)
        let verified = VerifiedReceipt(transactions: example.copies)
        _ = try await ledger.ledger.record(
            receipt("all"), .success(verified), in: try ledger.context(on: Self.later))
        try await check(example, ledger)
    }

    /// An upgrade is left time; more seats are none.
    @Test(arguments: LedgerKind.allCases, [false, true])
    func `Only another product ends a period with more seats`(kind: LedgerKind, isReversed: Bool) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let year = Self.month("6", on: day(110), item: "75", product: "club.year", signed: 110)
        let copies = [Self.month(), Self.added(), year]
        for (place, copy) in (isReversed ? copies.reversed() : copies).enumerated() {
            try await ledger.record(receipt("\(place)"), copy, on: day(111))
        }
        // A third of the month is left: 2 of 7 are taken back.
        #expect(try await gems(ledger) == 7 - 2 + 90)
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Reports count seats, and each transaction by its own price`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), Self.month(), on: Self.later)
        try await ledger.record(receipt("b"), Self.added(), on: Self.later)
        try await ledger.record(receipt("c"), Self.month(addition: true, revokedSeats: 1, signed: 101), on: Self.later)
        func total(_ report: ReportKind) async throws -> String {
            let query = try #require(
                ReportQuery(report, by: .day, from: day(0), to: day(200), environment: .production))
            return try await ledger.ledger.report(query, at: day(200)).total.text(of: report)
        }
        let bought = """
            purchases 1, seatAdditions 1, units 8, refundedSeats 1, types auto-renewable 2, revenue EUR 3660
            """
        #expect(try await total(.purchases) == bought)
        #expect(try await total(.subscriptions) == "restarts 1, ends unknown 1")
        #expect(try await total(.refunds) == "")
        try await ledger.record(receipt("d"), Self.added(revoked: day(100), signed: 102), on: day(102))
        #expect(try await total(.purchases) == bought)
        #expect(try await total(.subscriptions) == "restarts 1, ends unknown 1")
        #expect(try await total(.refunds) == "refunds 1, full 1, reasons other 1, refunded EUR 660")
    }
}
