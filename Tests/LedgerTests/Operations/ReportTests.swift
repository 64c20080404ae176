import Foundation
import InAppPurchase
import Ledger
import PostgresSupport
import TestSupport
import Testing

@testable import LedgerPostgres
@testable import LedgerSQL
@testable import LedgerSQLite

/// The counts of reports, one by one; `ReportFoldTests` has many histories at once.
@Suite struct ReportTests {
    /// The total of a report of days 0 to 200 as of day 200, without zeros.
    private func total(
        _ kind: ReportKind, of ledger: TestLedger, _ environment: InAppPurchase.Environment = .production
    ) async throws -> String {
        let query = try #require(ReportQuery(kind, by: .day, from: day(0), to: day(200), environment: environment))
        return try await ledger.ledger.report(query, at: day(200)).total.text(of: kind)
    }

    private func club(
        _ id: TransactionID, from start: Int, to end: Int, reason: String? = "RENEWAL", trial: Bool = false,
        offer: Int? = nil, refunded: Date? = nil, upgraded: Bool = false
    ) -> Transaction {
        var period = bought(
            "club.month", id, original: "1", on: day(start), until: day(end), revoked: refunded, upgraded: upgraded,
            signed: refunded ?? day(start))
        var details = PurchaseDetails()
        (details.reason, details.isTrialPeriod) = (reason, trial)
        details.offer = offer.map { PurchaseOffer(type: $0) }
        period.details = details
        return period
    }

    private func priced(_ transaction: Transaction, _ price: Int?, _ currency: String? = "EUR") -> Transaction {
        var (priced, details) = (transaction, PurchaseDetails())
        (details.price, details.currency) = (price, currency)
        priced.details = details
        return priced
    }

    // MARK: Purchases

    @Test(arguments: LedgerKind.allCases) func `A report counts each purchase once`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        // Known from a notification, and nobody presents it.
        try await ledger.receive(notification("n1", priced(bought("words", "1", type: .nonConsumable), 990)))
        // Known from a notification, then presented: it is in two tables.
        try await ledger.receive(notification("n2", priced(bought("hints", "2"), 1_000)))
        try await ledger.record(receipt("a"), priced(bought("hints", "2", quantity: 3), 2_970))
        // Restored, shared with the family, assigned.
        try await ledger.record(
            receipt("b"), bought("starter", "3"), bought("starter", "4", original: "3"),
            bought("words", "5", ownershipType: .familyShared), bought("words", "6", ownershipType: .assigned))
        // Before and after the time, and elsewhere.
        try await ledger.record(
            receipt("c"), bought("hints", "7", on: day(-1)), bought("hints", "8", on: day(200)),
            bought("hints", "9", .sandbox), priced(bought("hints", "10", on: day(0)), 7, nil))
        #expect(
            try await total(.purchases, of: ledger) == """
                purchases 4, units 6, types consumable 2 non-consumable 2, revenue EUR 3960, unpriced 2
                """)
        #expect(
            try await total(.purchases, of: ledger, .sandbox) == "purchases 1, units 1, types consumable 1, unpriced 1")
    }

    @Test(arguments: LedgerKind.allCases)
    func `A report leaves out purchases that a sandbox reset forgot`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1", app: "chess", .sandbox))
        #expect(try await total(.purchases, of: ledger, .sandbox).hasPrefix("purchases 1"))
        _ = try await ledger.ledger.resetSandbox(of: account(1), app: nil, try act(), in: try ledger.context())
        #expect(try await total(.purchases, of: ledger, .sandbox) == "")
        try await ledger.record(receipt("a"), bought("hints", "1", app: "chess", .sandbox))
        #expect(try await total(.purchases, of: ledger, .sandbox).hasPrefix("purchases 1"))
    }

    /// Amounts that do not fit end at the largest possible one.
    @Test func `Sums of a report do not overflow`() async throws {
        let ledger = try LedgerKind.sqliteInMemory.open()
        try await ledger.join(1)
        try await ledger.record(
            receipt("a"), priced(bought("hints", "1", quantity: .max), .max),
            priced(bought("hints", "2", quantity: .max), .max))
        let text = "purchases 2, units \(Int.max), types consumable 2, revenue EUR \(Int.max)"
        #expect(try await total(.purchases, of: ledger) == text)
    }

    // MARK: Refunds

    static let refunds: [(share: Int?, price: Int?, expected: String)] = [
        (nil, 1_001, "refunds 1, full 1, reasons other 1, refunded EUR 1001"),
        (100_000, 1_001, "refunds 1, full 1, reasons other 1, refunded EUR 1001"),
        // Out of range: everything, as for credits.
        (100_001, 1_001, "refunds 1, full 1, reasons other 1, refunded EUR 1001"),
        (40_000, 1_990, "refunds 1, partial 1, percentages 40 1, reasons other 1, refunded EUR 796"),
        // Halves are rounded down, other amounts to the nearest whole one.
        (50_000, 1_001, "refunds 1, partial 1, percentages 50 1, reasons other 1, refunded EUR 500"),
        (33_333, 990, "refunds 1, partial 1, percentages 33 1, reasons other 1, refunded EUR 330"),
        (999, 1_000, "refunds 1, partial 1, percentages 0 1, reasons other 1, refunded EUR 10"),
        (0, 990, "refunds 1, partial 1, percentages 0 1, reasons other 1, refunded EUR 0"),
        (40_000, nil, "refunds 1, partial 1, percentages 40 1, reasons other 1, unpriced 1"),
    ]

    @Test(arguments: LedgerKind.allCases, refunds) func `A report counts the share of the price that was refunded`(
        kind: LedgerKind, row: (share: Int?, price: Int?, expected: String)
    ) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let refund = bought("hints", "1", revoked: day(94), share: row.share, signed: day(95))
        try await ledger.record(
            receipt("a"), priced(refund, row.price),
            bought("words", "2", revoked: day(94), ownershipType: .familyShared))
        let reported = try await total(.refunds, of: ledger)
        #expect(reported == row.expected)
        try await ledger.record(receipt("b"), bought("hints", "1", signed: day(96)))
        #expect(try await total(.refunds, of: ledger) == "", "reversed")
    }

    // MARK: Subscriptions

    /// The periods of one subscription, its last renewal statement, and what is counted of it.
    static let lives:
        [(
            name: String, periods: @Sendable (ReportTests) -> [Transaction], renewal: RenewalFacts?, expected: String
        )] = [
            (
                "trial, paid, cancelled",
                {
                    [
                        $0.club("1", from: 1, to: 8, reason: "PURCHASE", trial: true, offer: 1),
                        $0.club("2", from: 8, to: 38),
                    ]
                },
                RenewalFacts(willAutoRenew: false, expirationReason: 1, signedDate: day(38)),
                "starts 1, renewals 1, trials 1, conversions 1, offers introductory 1, ends cancelled 1"
            ),
            (
                "no word of the reason", { [$0.club("1", from: 1, to: 31, reason: nil)] },
                nil, "starts 1, ends unknown 1"
            ),
            (
                "a word from before the period", { [$0.club("1", from: 1, to: 31, reason: nil)] },
                RenewalFacts(expirationReason: 1, signedDate: day(0)), "starts 1, ends unknown 1"
            ),
            (
                "billing retry", { [$0.club("1", from: 160, to: 190, reason: nil)] },
                RenewalFacts(isInBillingRetry: true, expirationReason: 2, signedDate: day(190)), "starts 1"
            ),
            (
                "grace", { [$0.club("1", from: 160, to: 190, reason: nil)] },
                RenewalFacts(gracePeriodExpirationDate: day(206), signedDate: day(190)), "starts 1"
            ),
            (
                "grace that is over", { [$0.club("1", from: 160, to: 183, reason: nil)] },
                RenewalFacts(gracePeriodExpirationDate: day(199), expirationReason: 2, signedDate: day(199)),
                "starts 1, ends billing 1"
            ),
            ("runs", { [$0.club("1", from: 180, to: 210, reason: nil)] }, nil, "starts 1, active 1"),
            (
                "came back by a win-back offer",
                {
                    [
                        $0.club("1", from: 1, to: 31, reason: "PURCHASE"),
                        $0.club("2", from: 60, to: 90, reason: "PURCHASE", offer: 4), $0.club("3", from: 190, to: 220),
                    ]
                }, nil, "starts 1, restarts 1, renewals 1, offers winBack 1, ends unknown 1, active 1"
            ),
            (
                "upgraded while it ran",
                {
                    [
                        $0.club("1", from: 150, to: 180, reason: "PURCHASE", upgraded: true),
                        $0.club("2", from: 170, to: 210, reason: "PURCHASE"),
                    ]
                }, nil, "starts 1, upgrades 1, active 1"
            ),
            (
                "refunded while it ran",
                {
                    [
                        $0.club("1", from: 1, to: 31, reason: "PURCHASE"),
                        $0.club("2", from: 31, to: 61, refunded: day(40)),
                    ]
                },
                RenewalFacts(expirationReason: 1, signedDate: day(40)), "starts 1, renewals 1, ends refunded 1"
            ),
            (
                "refunded after it had ended",
                { [$0.club("1", from: 1, to: 31, reason: "PURCHASE", refunded: day(40))] },
                RenewalFacts(expirationReason: 3, signedDate: day(31)), "starts 1, ends priceIncrease 1"
            ),
            (
                "renewed after a refund of an earlier period",
                {
                    [
                        $0.club("1", from: 150, to: 180, reason: nil, refunded: day(160)),
                        $0.club("2", from: 180, to: 210),
                    ]
                },
                nil, "starts 1, renewals 1, active 1"
            ),
        ]

    @Test(arguments: LedgerKind.allCases, lives.map(\.name))
    func `A report counts how subscriptions begin, renew and end`(kind: LedgerKind, name: String) async throws {
        let life = try #require(Self.lives.first { $0.name == name })
        let ledger = try kind.open()
        try await ledger.join(1)
        let renewals = life.renewal.map { [original("1"): $0] } ?? [:]
        for (number, period) in life.periods(self).enumerated() {
            try await ledger.record(receipt("\(number)"), period, renewals: number == 0 ? renewals : [:])
        }
        let reported = try await total(.subscriptions, of: ledger)
        #expect(reported == life.expected)
        // Nobody needs to have presented it.
        let waiting = try kind.open()
        for (number, period) in life.periods(self).enumerated() {
            try await waiting.receive(notification("\(number)", period, renewals: number == 0 ? renewals : [:]))
        }
        #expect(try await total(.subscriptions, of: waiting) == life.expected)
    }

    /// A period that is recorded under two IDs, as restored copies of subscriptions are in StoreKit.
    @Test(arguments: LedgerKind.allCases)
    func `A report does not count the copy of a period`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var periods = [
            club("1", from: 150, to: 157, reason: "PURCHASE", trial: true), club("2", from: 150, to: 157, trial: true),
            club("3", from: 157, to: 207), club("4", from: 157, to: 207),
        ]
        for (place, item) in ["a", "a", "b", "b"].enumerated() { periods[place].details?.webOrderLineItemID = item }
        for (number, period) in periods.enumerated() { try await ledger.record(receipt("\(number)"), period) }
        let counted = try await total(.subscriptions, of: ledger)
        #expect(counted == "starts 1, renewals 1, trials 1, conversions 1, active 1")
    }

    @Test(arguments: LedgerKind.allCases)
    func `A refund counts once, with the purchase, whichever IDs it names`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let first = club("1", from: 150, to: 207, reason: "PURCHASE")
        var copy = first
        copy.id = "2"
        try await ledger.record(receipt("a"), first, copy)
        for (place, id) in (["2", "1"] as [TransactionID]).enumerated() {
            copy.id = id
            copy.signedDate = day(160 + place)
            copy.revocation = Transaction.Revocation(date: day(160), reason: 1)
            try await ledger.receive(notification("\(place)", copy))
            let counted = try await total(.refunds, of: ledger)
            #expect(counted == "refunds 1, full 1, reasons appIssue 1, unpriced 1")
        }
        let sold = try await total(.purchases, of: ledger)
        #expect(sold.hasPrefix("purchases 1, units 1"))
    }

    // MARK: Rows and pages

    @Test(arguments: LedgerKind.allCases)
    func `A report has a row for each day, product, storefront or version`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var german = bought("hints", "1", on: day(1) - 0.001)
        german.details = PurchaseDetails()
        german.details?.storefront = "DEU"
        german.details?.appVersion = "1.10"
        var words = bought("words", "3", on: day(2))
        words.details = PurchaseDetails()
        words.details?.appVersion = "1.10 (beta)"
        try await ledger.record(receipt("a"), german, bought("hints", "2", on: day(1)), words)
        let expected: [ReportGrouping: [String: Int]] = [
            .day: ["2026-01-01": 1, "2026-01-02": 1, "2026-01-03": 1], .product: ["hints": 2, "words": 1],
            .storefront: ["DEU": 1, "unknown": 2], .version: ["1.10": 1, "unknown": 2],
        ]
        for (grouping, rows) in expected {
            let query = try #require(ReportQuery(.purchases, by: grouping, from: day(0), to: day(9)))
            let report = try await ledger.ledger.report(query, at: today)
            #expect(report.rows.mapValues { $0[.purchases] } == rows)
        }
    }

    /// Pages of any size have each transaction once, in the same order in every database.
    @Test func `A report reads each transaction once, in pages of any size`() async throws {
        var generator = SeededGenerator(seed: 5)
        let catalog = try catalog(ReportHistory.catalog)
        let histories = (0..<100).map { ReportHistory($0, using: &generator) }
        var orders: [[String]] = []
        for kind in LedgerKind.allCases {
            let ledger = try kind.open()
            for history in histories { try await history.write(to: ledger.ledger, catalog: catalog) }
            let whole = try await found(in: ledger, inPagesOf: 1_000)
            #expect(whole.count > 150 && Set(whole).count == whole.count)
            for size in [1, 7] { #expect(try await found(in: ledger, inPagesOf: size) == whole) }
            orders.append(whole)
        }
        #expect(orders.allSatisfy { $0 == orders[0] })
    }

    /// Every transaction that is found, with its neighbours.
    private func found(in ledger: TestLedger, inPagesOf size: Int) async throws -> [String] {
        var found: [String] = []
        for kind in [ReportKind.subscriptions, .refunds] {
            let query = try #require(
                ReportQuery(kind, by: .day, from: ReportHistory.start, to: ReportHistory.start + 400 * 86_400))
            for scan in query.scans(at: ReportHistory.start + 300 * 86_400) {
                var position: ReportPage.Position?
                repeat {
                    let page = try await ledger.ledger.reportPage(scan, after: position, limit: size)
                    found += page.transactions.map {
                        "\(kind) \(scan.selection) \(scan.isClaimed) \($0.transaction.key) \($0.earlier?.id.text ?? "-") "
                            + "\($0.later?.id.text ?? "-") \($0.renewal?.signedDate.rfc3339 ?? "-")"
                    }
                    position = page.next
                } while position != nil
            }
        }
        return found
    }

    // MARK: Migration

    /// A ledger from before has the dates by which its transactions are found.
    @Test func `Transactions from before the report columns are found by their dates`() async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        try await datesAreFound(in: TestLedger(sqlite), by: Schema.datesOfFacts) { try await sqlite.execute($0) }
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        let postgres = try PostgresLedger.open(url: server.url(name), handlers: standardHandlers, limits: .patient)
        try await datesAreFound(in: TestLedger(postgres), by: SchemaVersion7.datesOfFacts) {
            try server.execute($0, in: name)
        }
    }

    private func datesAreFound(
        in ledger: TestLedger, by updates: String, _ execute: (String) async throws -> Void
    ) async throws {
        try await ledger.liveThroughEverything()
        try await #require(ledger.ledger as? SQLLedger).storeWholeFacts()
        let queries = ["transactions", "unclaimedTransactions"].map {
            "SELECT id, purchasedAt, revokedAt, expiresAt FROM \($0) ORDER BY id, app"
        }
        let before = [try await ledger.rows(queries[0]), try await ledger.rows(queries[1])]
        #expect(before.allSatisfy { !$0.isEmpty })
        try await execute("UPDATE transactions SET purchasedAt = 0, revokedAt = 7")
        #expect(try await ledger.differences().count == before[0].count)
        try await execute("UPDATE unclaimedTransactions SET purchasedAt = 0, revokedAt = 7, expiresAt = 7")
        try await execute(updates)
        #expect([try await ledger.rows(queries[0]), try await ledger.rows(queries[1])] == before)
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: [
        (day(1), day(1), false), (day(2), day(1), false), (day(0), day(400), true), (day(0), day(400) + 1, false),
        (.distantPast, .distantFuture, false),
    ])
    func `The time span of a report is limited`(from: Date, to: Date, isTaken: Bool) {
        #expect((ReportQuery(.refunds, by: .day, from: from, to: to) != nil) == isTaken)
    }
}

extension ReportTally {
    /// The numbers that are not 0, in the order of the columns.
    func text(of kind: ReportKind) -> String { text(of: kind.columns) }

    func text(of columns: [ReportColumn]) -> String {
        columns.compactMap { column in
            let named = named(column).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let parts = column.hasNames ? named : self[column] == 0 ? [] : ["\(self[column])"]
            return parts.isEmpty ? nil : column.rawValue + " " + parts.joined(separator: " ")
        }
        .joined(separator: ", ")
    }
}
