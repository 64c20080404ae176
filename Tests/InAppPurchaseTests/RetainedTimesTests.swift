import AutoRenewableSubscription
import Foundation
import InAppPurchase
import Ledger
import NonRenewingSubscription
import TestSupport
import Testing

/// Which times of a subscription stay open when it is over.
@Suite struct RetainedTimesTests {
    typealias Bought = (entry: String, transaction: Transaction)

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var purchases: [Bought]
        var renewals: [OriginalTransaction.Key: RenewalFacts] = [:]
        var kept: [Range<Int>]

        var testDescription: String { name }
    }

    static let magazine = #"{"id": "mag", "type": "auto-renewable", "group": "m", "afterExpiry": "keep"}"#
    static let plus = #"{"id": "plus", "type": "auto-renewable", "group": "m", "afterExpiry": "keep"}"#
    static let locked = #"{"id": "mag", "type": "auto-renewable", "group": "m", "afterExpiry": "lock"}"#
    static let month = #"{"id": "mag", "type": "non-renewing", "duration": "P1M", "afterExpiry": "keep"}"#

    static func period(
        _ id: TransactionID, of line: TransactionID = "1", _ days: Range<Int>, _ entry: String = magazine,
        product: ProductID = "mag", revoked: Bool = false, upgraded: Bool = false
    ) -> Bought {
        (
            entry,
            purchase(
                product, id: id, originalID: line, on: day(days.lowerBound), expirationDate: day(days.upperBound),
                revocation: revoked ? Transaction.Revocation(date: day(90)) : nil, isUpgraded: upgraded)
        )
    }

    static func unit(_ id: TransactionID, on date: Int, revoked: Bool = false) -> Bought {
        (
            month,
            purchase("mag", id: id, on: day(date), revocation: revoked ? Transaction.Revocation(date: day(90)) : nil)
        )
    }

    static func grace(until end: Int) -> [OriginalTransaction.Key: RenewalFacts] {
        let line = OriginalTransaction.Key(app: "com.example.hangman", environment: .production, originalID: "1")
        return [
            line: RenewalFacts(isInBillingRetry: true, gracePeriodExpirationDate: day(end), signedDate: day(end - 1))
        ]
    }

    static let cases: [Case] = [
        Case(name: "one period", purchases: [period("1", 0..<30)], kept: [0..<30]),
        Case(name: "renewed", purchases: [period("1", 0..<30), period("2", 30..<60)], kept: [0..<60]),
        Case(name: "came back", purchases: [period("2", 50..<80), period("1", 0..<30)], kept: [0..<30, 50..<80]),
        Case(name: "refunded", purchases: [period("1", 0..<30), period("2", 30..<60, revoked: true)], kept: [0..<30]),
        Case(
            name: "upgraded",
            purchases: [
                period("1", 0..<30, upgraded: true), period("2", 10..<40, plus, product: "plus"),
            ], kept: [0..<10]),
        Case(name: "upgraded to what nobody saw", purchases: [period("1", 0..<30, upgraded: true)], kept: [0..<30]),
        Case(name: "grace", purchases: [period("1", 0..<30)], renewals: grace(until: 36), kept: [0..<36]),
        Case(
            name: "grace that is over before", purchases: [period("1", 0..<30)], renewals: grace(until: 20),
            kept: [0..<30]),
        Case(
            name: "grace is of the newest period", purchases: [period("1", 0..<30), period("2", 50..<80)],
            renewals: grace(until: 86), kept: [0..<30, 50..<86]),
        Case(name: "locked", purchases: [period("1", 0..<30, locked)], kept: []),
        Case(name: "locked at first", purchases: [period("1", 0..<30, locked), period("2", 30..<60)], kept: [30..<60]),
        Case(name: "two lines", purchases: [period("1", 0..<30), period("2", of: "2", 20..<50)], kept: [0..<50]),
        // A run of two months from 1 January ends on 1 March, day 59.
        Case(name: "non-renewing", purchases: [unit("1", on: 0), unit("2", on: 10)], kept: [0..<59]),
        Case(
            name: "non-renewing with a gap", purchases: [unit("1", on: 0), unit("2", on: 40)], kept: [0..<31, 40..<68]),
        Case(
            name: "non-renewing, refunded", purchases: [unit("1", on: 0, revoked: true), unit("2", on: 10)],
            kept: [10..<41]),
    ]

    private func entitlement(
        _ records: [RecordedTransaction], renewals: [OriginalTransaction.Key: RenewalFacts] = [:], of id: UInt8 = 1,
        catalog: Catalog = Catalog(), on date: Date = day(200)
    ) -> ProductEntitlement? {
        AccountState(
            account: AccountID(account(id)), records: records, renewals: renewals,
            context: RecordingContext(catalog: catalog, date: date)
        ).entitlements.first { $0.product == "mag" }
    }

    private func records(_ purchases: [Bought]) throws -> [RecordedTransaction] {
        try purchases.map {
            RecordedTransaction(
                transaction: $0.transaction, purchase: $0.transaction.purchaseID, terms: try product($0.entry),
                owner: AccountID(account(1)), creditedTo: AccountID(account(1)))
        }
    }

    @Test(arguments: cases) func `A subscription that is over retains the times of its terms`(example: Case) throws {
        let kept = try #require(entitlement(try records(example.purchases), renewals: example.renewals)?.retained)
        #expect(kept.ranges == example.kept.map { day($0.lowerBound)..<day($0.upperBound) })
    }

    /// While it runs everything is open; what moved to another account, or was bought with test money, keeps nothing.
    @Test func `A transferred or sandbox subscription retains no times`() throws {
        let bought = try records([Self.period("1", 0..<30)])
        #expect(entitlement(bought, on: day(20))?.retained.isEmpty == true)
        var moved = bought
        for place in moved.indices { moved[place].owner = AccountID(account(2)) }
        #expect(entitlement(moved)?.access == .denied(.expired))
        #expect(entitlement(moved)?.retained.isEmpty == true)
        var sandbox = bought
        for place in sandbox.indices { sandbox[place].transaction.environment = InAppPurchase.Environment.sandbox }
        #expect(entitlement(sandbox)?.access == .denied(.sandbox))
        #expect(entitlement(sandbox)?.retained.isEmpty == true)
    }

    /// If the store gives no end, a moment is retained exactly where the handler granted access then.
    @Test(arguments: UInt64(1)...20)
    func `A non-renewing subscription retains the times that its handler granted`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let bought = (0..<Int.random(in: 1...6, using: &generator)).map { number in
                Self.unit(
                    "\(number)", on: .random(in: 0..<150, using: &generator),
                    revoked: .random(in: 0..<4, using: &generator) == 0)
            }
            let kept = entitlement(try records(bought), on: day(500))?.retained ?? RetainedTimes()
            for number in 0..<250 {
                let history = PurchaseHistory(
                    purchases: try bought.filter {
                        $0.transaction.purchaseDate <= day(number) && $0.transaction.revocation == nil
                    }.map {
                        Purchase(
                            transaction: $0.transaction,
                            terms: try #require(try product($0.entry).handler as? NonRenewingSubscription))
                    })
                let granted = NonRenewingSubscription.entitlement(to: "mag", given: history, at: day(number))
                try #require(kept.contains(day(number)) == granted.access.isGranted, "day \(number)")
            }
        }
    }

    /// If the store gives the end, a moment is retained exactly where some period that was not refunded has it.
    @Test(arguments: UInt64(1)...20)
    func `An auto-renewable subscription retains the times that were paid for`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let bought = (0..<Int.random(in: 1...8, using: &generator)).map { number in
                let start = Int.random(in: 0..<150, using: &generator)
                return Self.period(
                    "\(number)", of: "\(number % 2)", start..<start + .random(in: 1...30, using: &generator),
                    revoked: .random(in: 0..<4, using: &generator) == 0)
            }
            let kept =
                entitlement(try records(bought.shuffled(using: &generator)), on: day(500))?.retained ?? RetainedTimes()
            for number in 0..<200 {
                let isPaid = bought.contains { _, period in
                    period.revocation == nil && period.purchaseDate <= day(number)
                        && day(number) < period.expirationDate ?? .distantPast
                }
                try #require(kept.contains(day(number)) == isPaid, "day \(number)")
            }
        }
    }

    @Test func `What happens after the end is stored in the terms`() throws {
        for entry in [Self.magazine, Self.locked, Self.month] {
            let sold = try product(entry)
            let kept = try product(String(decoding: try JSONEncoder().encode(sold), as: UTF8.self))
            #expect(kept.afterExpiry == sold.afterExpiry)
        }
        #expect(try product(#"{"id": "p", "type": "auto-renewable"}"#).afterExpiry == .lock)
    }

    @Test(arguments: [
        #"{"id": "p", "type": "auto-renewable", "afterExpiry": "close"}"#,
        #"{"id": "p", "type": "auto-renewable", "afterExpiry": true}"#,
        #"{"id": "p", "type": "non-consumable", "afterExpiry": "keep"}"#,
        #"{"id": "p", "type": "consumable", "afterExpiry": "lock"}"#,
    ])
    func `Wrong settings for what happens after the end are refused`(entry: String) throws {
        let error = #expect(throws: DecodingError.self) { try product(entry) }
        #expect(error.map { path(of: $0) } == "afterExpiry")
    }
}
