import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The store asks what became of a purchase.
@Suite struct ConsumptionTests {
    private func request(_ id: TransactionID, asked date: Date = day(95)) -> ConsumptionRequest {
        ConsumptionRequest(
            id: "ask \(id)", transaction: Transaction.Key(app: "hangman", environment: .production, id: id), date: date)
    }

    private func open(_ kind: LedgerKind, asking copies: Transaction...) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1)
        for (number, copy) in copies.enumerated() {
            try await ledger.record(receipt("\(number)"), copy)
            var asks = notification("ask \(copy.id)", copy)
            asks.type = AppStoreNotification.consumptionRequest
            try await ledger.receive(asks)
        }
        return ledger
    }

    /// Spent credits are consumed; access is not counted, and neither are a subscription's credits.
    @Test(arguments: LedgerKind.allCases, [(0, 0), (3, 30_000), (10, 100_000)])
    func `Spent credits are reported as consumed`(kind: LedgerKind, spent: (hints: Int, used: Int)) async throws {
        let ledger = try await open(
            kind, asking: bought("hints", "1"), bought("words", "2"), bought("club.month", "3", until: day(120)))
        try await ledger.ledger.setConsumptionConsent(true, of: account(1), at: today)
        if spent.hints > 0 { _ = try await ledger.spend(spent.hints, key: "k") }
        let expected: [TransactionID: Int?] = ["1": spent.used, "2": nil, "3": nil]
        for (id, used) in expected {
            let report = try await ledger.ledger.consumption(for: request(id), in: ledger.context())
            #expect(report == ConsumptionReport(.delivered, consumedMilliPercent: used))
        }
    }

    /// Credits that a partial refund took back are not consumed; of a full refund nothing is left to consume.
    @Test(
        arguments: LedgerKind.allCases,
        [(40_000, 0, 0), (40_000, 3, 50_000), (40_000, 6, 100_000), (40_000, 10, 100_000), (100_000, 0, nil)])
    func `After a partial refund the rest is what can be consumed`(
        kind: LedgerKind, row: (share: Int, spent: Int, used: Int?)
    ) async throws {
        let ledger = try await open(kind, asking: bought("hints", "1"))
        try await ledger.ledger.setConsumptionConsent(true, of: account(1), at: today)
        if row.spent > 0 { _ = try await ledger.spend(row.spent, key: "k") }
        try await ledger.receive(
            notification("refund", bought("hints", "1", revoked: day(96), share: row.share, signed: day(97))))
        let report = try await ledger.ledger.consumption(for: request("1"), in: ledger.context())
        #expect(report == ConsumptionReport(.delivered, consumedMilliPercent: row.used))
    }

    @Test(arguments: LedgerKind.allCases)
    func `A purchase that was not delivered is reported so`(kind: LedgerKind) async throws {
        let ledger = try await open(
            kind, asking: bought("gone", "1"), bought("club.week", "2", type: .autoRenewable, until: day(120)))
        try await ledger.ledger.setConsumptionConsent(true, of: account(1), at: today)
        // The App Store takes no share of an auto-renewable subscription.
        let expected: [TransactionID: Int?] = ["1": 0, "2": nil]
        for (id, used) in expected {
            let report = try await ledger.ledger.consumption(for: request(id), in: ledger.context())
            #expect(report == ConsumptionReport(.undelivered, consumedMilliPercent: used))
        }
    }

    /// The customer asks for the refund, and the App Store for the consumption, on day 95. Each row differs from the
    /// first in one thing.
    static let outages: [(name: String, row: OutageCase, report: ConsumptionReport)] = [
        ("nothing arrived, and it came later", OutageCase(), ConsumptionReport(.serverOutage, consumedMilliPercent: 0)),
        (
            "a later attempt arrived", OutageCase(arrival: day(95) + 3_600),
            ConsumptionReport(.serverOutage, consumedMilliPercent: 0)
        ),
        ("access", OutageCase(product: "words"), ConsumptionReport(.serverOutage, consumedMilliPercent: 0)),
        (
            "a subscription", OutageCase(product: "club.month"),
            ConsumptionReport(.serverOutage, consumedMilliPercent: nil)
        ),
        (
            "the request arrived", OutageCase(arrival: day(95) + 1),
            ConsumptionReport(.delivered, consumedMilliPercent: 0)
        ),
        ("nothing ever arrived", OutageCase(hasEarlier: false), ConsumptionReport(.delivered, consumedMilliPercent: 0)),
        ("it came before", OutageCase(delivery: day(94)), ConsumptionReport(.delivered, consumedMilliPercent: 0)),
        (
            "it came later, and was used", OutageCase(spent: 3),
            ConsumptionReport(.delivered, consumedMilliPercent: 30_000)
        ),
        ("not in the catalog", OutageCase(product: "gone"), ConsumptionReport(.undelivered, consumedMilliPercent: 0)),
    ]

    struct OutageCase: Sendable {
        var product: ProductID = "hints"
        /// Whether an earlier notification arrived.
        var hasEarlier = true
        var delivery = day(96)
        /// When the request arrived; `nil` if it was fetched.
        var arrival: Date?
        var spent = 0
    }

    @Test(arguments: LedgerKind.allCases)
    func `An outage is reported only if the App Store met it`(kind: LedgerKind) async throws {
        for (name, row, expected) in Self.outages {
            let ledger = try kind.open()
            try await ledger.join(1)
            try await ledger.ledger.setConsumptionConsent(true, of: account(1), at: day(90))
            var earlier = notification("earlier")
            earlier.signedDate = day(92)
            earlier.isDelivered = row.hasEarlier
            try await ledger.receive(earlier, on: day(92))
            let copy = bought(
                row.product, "1", until: row.product == "club.month" ? day(120) : nil)
            try await ledger.record(receipt("1"), copy, on: row.delivery)
            var asks = notification("ask 1", copy)
            asks.type = AppStoreNotification.consumptionRequest
            asks.isDelivered = row.arrival != nil
            try await ledger.receive(asks, on: row.arrival ?? day(97))
            if row.spent > 0 { _ = try await ledger.spend(row.spent, key: "k") }
            let report = try await ledger.ledger.consumption(for: request("1"), in: ledger.context())
            #expect(report == expected, "\(name)")
        }
    }

    /// Open bundles, and credits to start with, are samples, whether or not the account has claimed them.
    @Test(arguments: LedgerKind.allCases)
    func `What an app gives away is reported as a sample`(kind: LedgerKind) async throws {
        let opening = #""bundleID": "hangman","#
        let open = try catalog(shop.replacing(opening, with: opening + #" "openBundles": ["demo"],"#))
        let starting = try StartingCreditsTests.catalog(20)
        let ledger = try await self.open(kind, asking: bought("hints", "1"))
        try await ledger.ledger.recordStartingCredits(in: RecordingContext(catalog: starting, date: day(10)))
        try await ledger.ledger.createAccount(account(2), token: Data([2]), recoveryCode: Data([2]), at: day(20))
        try await ledger.receive(notification("new", bought("hints", "2", token: 2)))
        for id in [1, 2] as [UInt8] { try await ledger.ledger.setConsumptionConsent(true, of: account(id), at: today) }
        func hasSample(_ id: TransactionID, _ catalog: Catalog) async throws -> Bool? {
            try await ledger.ledger.consumption(
                for: request(id), in: RecordingContext(catalog: catalog, date: today))?.hasSample
        }
        #expect(try await hasSample("1", try catalog()) == false)
        #expect(try await hasSample("1", open) == true)
        // The first account was made before the app gave any.
        #expect(try await hasSample("1", starting) == false)
        #expect(try await hasSample("2", starting) == true, "not given yet")
        try await ledger.record(receipt("other", by: 2), bought("hints", "3"), in: starting)
        #expect(try await hasSample("2", try catalog()) == true, "given, and no longer in the catalog")
    }

    @Test(arguments: LedgerKind.allCases)
    func `Without consent no consumption is reported`(kind: LedgerKind) async throws {
        let ledger = try await open(kind, asking: bought("hints", "1"))
        #expect(try await ledger.ledger.consumption(for: request("1"), in: ledger.context()) == nil)
        #expect(try await ledger.ledger.consumption(for: request("2"), in: ledger.context()) == nil)
        try await ledger.ledger.setConsumptionConsent(true, of: account(1), at: today)
        #expect(try await ledger.ledger.consumption(for: request("1"), in: ledger.context()) != nil)
        try await ledger.ledger.setConsumptionConsent(true, of: account(1), at: today)
        try await ledger.ledger.setConsumptionConsent(false, of: account(1), at: today)
        #expect(try await ledger.ledger.consumption(for: request("1"), in: ledger.context()) == nil)
        #expect(
            try await ledger.trail().filter { $0.hasPrefix("consumption") }
                == [#"consumption.consent - {"consents":true}"#, #"consumption.consent - {"consents":false}"#])
        await #expect(throws: LedgerRefusal.unknownAccount) {
            try await ledger.ledger.setConsumptionConsent(true, of: account(9), at: today)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `A request for consumption is answered once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind, asking: bought("hints", "1"), bought("hints", "2"))
        let both = [request("1"), request("2")]
        #expect(try await ledger.ledger.dueConsumptionRequests(limit: 9, lease: today + 60, at: today) == both)
        #expect(try await ledger.ledger.dueConsumptionRequests(limit: 9, lease: today + 60, at: today).isEmpty)
        try await ledger.ledger.finish(request("1"), .answered, at: today)
        try await ledger.ledger.finish(request("1"), .refused, at: today)
        #expect(
            try await ledger.ledger.dueConsumptionRequests(limit: 9, lease: day(300), at: day(200)) == [request("2")])
        #expect(
            try await ledger.trail().filter { $0.hasPrefix("consumption") }
                == [#"consumption.finished ask 1 {"outcome":"answered","transaction":"1"}"#])
        #expect(!request("1").isTooLate(at: day(95) + 43_200) && request("1").isTooLate(at: day(95) + 43_201))
    }
}

/// Subscriptions whose paid time ended without a word from the store.
@Suite struct SubscriptionsAwaitingUpdateTests {
    static let table: [(name: String, end: Date, facts: RenewalFacts?, isAwaitingUpdate: Bool)] = [
        ("runs", today + 1, nil, false),
        ("ended just now", today - 599, nil, false),
        ("no word", today - 601, nil, true),
        ("a word before the end", day(99), RenewalFacts(willAutoRenew: true, signedDate: day(98)), true),
        ("told that it ended", day(98), RenewalFacts(expirationReason: 1, signedDate: day(98)), false),
        ("billing", day(98), RenewalFacts(isInBillingRetry: true, signedDate: day(99) + 1), false),
        ("long billing", day(97), RenewalFacts(isInBillingRetry: true, signedDate: day(98)), true),
        ("long ago", day(39), nil, false),
    ]

    @Test(arguments: LedgerKind.allCases)
    func `Subscriptions that ended without news are found`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for (number, row) in Self.table.enumerated() {
            let id = "\(number + 1)"
            // An earlier period, which says nothing once the later one is known.
            try await ledger.record(
                receipt("a\(id)"),
                bought("club.month", "\(number + 100)", original: TransactionID(stored: id), on: day(1), until: day(31))
            )
            try await ledger.record(
                receipt("b\(id)"), bought("club.month", TransactionID(stored: id), on: day(31), until: row.end),
                renewals: row.facts.map { [original(TransactionID(stored: id)): $0] } ?? [:])
        }
        let found = try await ledger.ledger.subscriptionsAwaitingUpdate(limit: 9, at: today)
        let expected = Self.table.enumerated().filter(\.element.isAwaitingUpdate).sorted {
            $0.element.end > $1.element.end
        }
        #expect(found.map(\.original) == expected.map { original("\($0.offset + 1)") })
        #expect(try await ledger.ledger.subscriptionsAwaitingUpdate(limit: 1, at: today) == Array(found.prefix(1)))
    }
}
