import Foundation
import InAppPurchase
import NonRenewingSubscription
import TestSupport
import Testing

@Suite struct NonRenewingSubscriptionTests {
    static let month = CalendarDuration(months: 1)

    /// `a1@2026-01-31` is transaction 1 of product a at noon; `*2` its quantity; `-` marks it refunded, `%50000` by
    /// that share.
    static func transactions(_ purchases: [String]) -> [Transaction] {
        purchases.map { text in
            let halves = text.split(separator: "@").map(String.init)
            let (name, rest) = (halves.first ?? "", halves.last ?? "")
            let share = rest.split(separator: "%").dropFirst().first.flatMap { Int($0) }
            let whole = rest.prefix { $0 != "%" }
            let quantity = whole.split(separator: "*").dropFirst().first.flatMap { Int($0) } ?? 1
            return bought(
                ProductID(stored: String(name.prefix(1))), TransactionID(stored: String(name.dropFirst())),
                on: noon(String(rest.prefix(10))), quantity: quantity, revoked: rest.hasSuffix("-"), share: share)
        }
    }

    /// Purchases of a month each, and the runs of product a that the player is shown.
    static let toldRuns: [([String], [String])] = [
        (["a1@2026-01-15"], ["2026-01-15 2026-02-15"]),
        (["a1@2026-01-31", "a2@2026-02-01"], ["2026-01-31 2026-03-31"]),
        (["a1@2026-01-01", "a2@2026-03-10"], ["2026-01-01 2026-02-01", "2026-03-10 2026-04-10"]),
        (["a1@2026-01-01", "a2@2026-03-10-"], ["2026-01-01 2026-02-01"]), (["a1@2026-01-01-"], []),
    ]

    @Test(arguments: toldRuns)
    func `The time of purchases without a gap is shown as one run`(purchases: [String], runs: [String]) {
        let reported = NonRenewingSubscription.entitlement(
            to: "a", by: Self.transactions(purchases), terms: NonRenewingSubscription(duration: Self.month),
            at: noon("2026-06-01")
        ).runs.map { "\($0.start.rfc3339.prefix(10)) \($0.end.rfc3339.prefix(10))" }
        #expect(reported == runs)
    }

    /// Purchases of a month each, the day asked for, and the day until which product a is granted or why it is not.
    static let months: [(String, [String], String, String)] = [
        ("a month", ["a1@2026-01-15"], "2026-01-15", "2026-02-15"),
        ("not at its end", ["a1@2026-01-15"], "2026-02-15", "expired"),
        ("from the last of January", ["a1@2026-01-31"], "2026-02-01", "2026-02-28"),
        ("two in a row end on the 31st", ["a1@2026-01-31", "a2@2026-02-01"], "2026-02-01", "2026-03-31"),
        ("three at once", ["a1@2026-01-31", "a2@2026-01-31", "a3@2026-01-31"], "2026-02-01", "2026-04-30"),
        ("three in a row", ["a1@2026-01-31", "a2@2026-02-20", "a3@2026-03-20"], "2026-03-30", "2026-04-30"),
        ("in a leap year", ["a1@2028-01-31"], "2028-02-01", "2028-02-29"),
        ("from the leap day, a year", ["a1@2028-02-29*12"], "2028-03-01", "2029-02-28"),
        ("a gap starts a new run", ["a1@2026-01-01", "a2@2026-03-10"], "2026-03-10", "2026-04-10"),
        ("in the gap there is nothing", ["a1@2026-01-01"], "2026-02-15", "expired"),
        ("bought at the very end: a new run", ["a1@2026-01-31", "a2@2026-02-28"], "2026-03-01", "2026-03-28"),
        ("quantity", ["a1@2026-01-31*3"], "2026-02-01", "2026-04-30"),
        ("quantity in a run", ["a1@2026-01-31*2", "a2@2026-02-01"], "2026-02-01", "2026-04-30"),
        ("a refund shrinks the run", ["a1@2026-01-15", "a2@2026-01-20-"], "2026-02-01", "2026-02-15"),
        ("and ends it", ["a1@2026-01-15", "a2@2026-01-20-"], "2026-02-20", "expired"),
        ("a refund of the first moves the start", ["a1@2026-01-15-", "a2@2026-01-20"], "2026-02-01", "2026-02-20"),
        ("a refund opens a gap", ["a1@2026-01-01", "a2@2026-01-15-", "a3@2026-02-15"], "2026-02-20", "2026-03-15"),
        ("all by its share", ["a1@2026-01-15%100000"], "2026-01-15", "revoked"),
        ("nothing by its share", ["a1@2026-01-15%0"], "2026-01-15", "2026-02-15"),
        // February has 28 days: a quarter is a week.
        ("a share shortens the run", ["a1@2026-02-01%25000"], "2026-02-20", "2026-02-22"),
        ("and it is over then", ["a1@2026-02-01%25000"], "2026-02-22", "expired"),
        ("a share of the first in a run", ["a1@2026-02-01%25000", "a2@2026-02-10"], "2026-02-20", "2026-03-25"),
        ("a share of the last in a run", ["a1@2026-01-01", "a2@2026-01-10%50000"], "2026-01-20", "2026-02-15"),
        ("a share opens a gap", ["a1@2026-02-01%50000", "a2@2026-02-20"], "2026-02-25", "2026-03-20"),
        ("of several units whole ones stand", ["a1@2026-01-31*3%50000"], "2026-02-01", "2026-03-31"),
        ("almost all of several", ["a1@2026-01-31*3%99999"], "2026-02-01", "2026-02-28"),
        ("all refunded", ["a1@2026-01-15-", "a2@2026-01-20-"], "2026-01-20", "revoked"),
        ("bought ahead of our clock", ["a1@2026-01-15"], "2026-01-14", "2026-02-15"),
        ("the run that goes on, not the next", ["a1@2026-01-01", "a2@2026-06-01"], "2026-01-02", "2026-02-01"),
        ("another product extends it", ["a1@2026-01-31", "b2@2026-02-01"], "2026-02-01", "2026-03-31"),
        ("this extends another's", ["b1@2026-01-31", "a2@2026-02-01"], "2026-02-01", "2026-03-31"),
        ("a run of another product", ["a1@2026-01-01", "b2@2026-03-10"], "2026-03-11", "expired"),
        ("its own refunded in another's run", ["a1@2026-01-31-", "b2@2026-02-01"], "2026-02-02", "revoked"),
    ]

    @Test(arguments: months) func `Purchases of a non-renewing subscription add up to one end of access`(
        name: String, purchases: [String], date: String, expected: String
    ) {
        let access = NonRenewingSubscription.entitlement(
            to: "a", by: Self.transactions(purchases), terms: NonRenewingSubscription(duration: Self.month, group: "g"),
            at: noon(date)
        ).access
        let granted = Access.granted(until: noon(expected))
        #expect(access == (expected.hasPrefix("20") ? granted : .denied(DenialReason(rawValue: expected))), "\(name)")
    }

    /// Months are added before days, whichever is bought first.
    @Test(arguments: [[CalendarDuration(months: 1), CalendarDuration(days: 1)], [.init(days: 1), .init(months: 1)]])
    func `Each purchase adds its own duration, months before days`(durations: [CalendarDuration]) {
        let purchases = zip(["1", "2"], durations).map { id, duration in
            let terms = NonRenewingSubscription(duration: duration)
            return Purchase(transaction: bought("a", TransactionID(stored: id), on: noon("2026-01-31")), terms: terms)
        }
        let history = PurchaseHistory(purchases: purchases)
        let access = NonRenewingSubscription.entitlement(to: "a", given: history, at: noon("2026-02-01")).access
        #expect(access == .granted(until: noon("2026-03-01")))
    }

    @Test func `The largest quantities and durations do not overflow`() {
        let most = (1...50).map { bought("a", "\($0)", on: noon("2026-01-31"), quantity: .max) }
        let terms = NonRenewingSubscription(duration: CalendarDuration(months: 1200, days: 9, seconds: 9))
        let entitlement = NonRenewingSubscription.entitlement(to: "a", by: most, terms: terms, at: noon("2026-02-01"))
        #expect(entitlement.access.isGranted)
    }

    @Test func `A non-renewing subscription earns credits that stay after its end`() {
        let entitlement = NonRenewingSubscription.entitlement(
            to: "a", by: Self.transactions(["a1@2026-01-31*2", "a2@2026-02-01-", "b3@2026-02-01"]),
            terms: NonRenewingSubscription(duration: Self.month), credits: ["gems": 5], at: noon("2027-01-01"))
        #expect(entitlement.access == .denied(.expired) && entitlement.credits == ["gems": 10])
    }

    @Test(arguments: ["{}", #"{"duration": "P"}"#, #"{"duration": "P1M", "group": 1}"#])
    func `A missing or malformed duration or group is refused`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(NonRenewingSubscription.self, from: Data(json.utf8))
        }
    }
}
