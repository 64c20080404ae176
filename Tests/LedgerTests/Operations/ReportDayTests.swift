import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// The stored sums of days are the fold of the transactions, whatever happens when.
@Suite struct ReportDayTests {
    private static let now = ReportHistory.start + 420 * 86_400

    /// Whole days, odd times, the future and the past, all apps or one, which may not be served.
    private static func queries(using generator: inout SeededGenerator) throws -> [(ReportQuery, Date)] {
        let times: [(Double, Double, at: Double)] = [
            (60, 421, 420), (391, 421, 420), (391, 421, 430.5), (99.3, 130.7, 420), (300, 310, 305), (200, 201, 420),
        ]
        return try ReportKind.allCases.flatMap { kind in
            try times.map { from, to, at in
                var query = ReportQuery(
                    kind, by: generator.pick(.day, .product, .storefront, .version),
                    from: ReportHistory.start + from * 86_400,
                    to: ReportHistory.start + to * 86_400, environment: generator.pick(.production, .sandbox),
                    app: generator.pick(nil, "chess"))
                query?.served = from < 200 ? ["hangman"] : nil
                return (try #require(query), ReportHistory.start + at * 86_400)
            }
        }
    }

    private func compare(
        _ ledger: TestLedger, using generator: inout SeededGenerator, _ comment: Comment
    ) async throws {
        for (query, date) in try Self.queries(using: &generator) {
            let report = try await ledger.ledger.report(query, at: date)
            let whole = try await ledger.ledger.wholeReport(query, at: date)
            #expect(report.rows == whole.rows && report.total == whole.total, "\(comment) \(query) at \(date)")
            #expect(report.notServed == whole.notServed, "\(comment) \(query) at \(date)")
            #expect(report.asOf == nil && !report.isPartial)
        }
    }

    @Test(arguments: [LedgerKind.sqliteInMemory, .sqliteInFile, .postgres])
    func `The stored sums of days are the fold of the transactions`(kind: LedgerKind) async throws {
        var generator = SeededGenerator(seed: 19)
        let ledger = try kind.open()
        let catalog = try catalog(ReportHistory.catalog)
        var taken = 0
        for round in 0..<(kind == .sqliteInMemory ? 40 : 12) {
            var histories = (0..<6).map { ReportHistory(round * 6 + $0, using: &generator) }
            for history in histories { try await history.write(to: ledger.ledger, catalog: catalog) }
            for _ in 0..<generator.pick(0, 1, 2) {
                let date = Self.now + Double(round) * 3_600
                taken += try await ledger.ledger.foldReportDays(at: date).days
            }
            try await compare(ledger, using: &generator, "round \(round), written")
            try await change(&histories, in: ledger, catalog, using: &generator)
            try await compare(ledger, using: &generator, "round \(round), changed")
            if generator.flip() { #expect(try await ledger.differences() == []) }
        }
        #expect(taken > 3_000)
        _ = try await ledger.ledger.foldReportDays(at: Self.now + 40 * 3_600)
        try await compare(ledger, using: &generator, "in the end")
        #expect(try await ledger.differences() == [])
    }

    /// The days next to the present come first, so that later turns take days before and after all that are done.
    /// Reading what is between them would make the work grow with the square of the days.
    @Test(arguments: LedgerKind.allCases)
    func `A turn that sums days reads no other days`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        var seen: Set<[String]> = []
        for turn in 0..<4 {
            // By the database's clock, too, all days of these turns are over.
            let due = try await ledger.ledger.dueReportDays(at: ReportHistory.start + 100 * 86_400)
            for part in due {
                let days = part.changes.keys.sorted()
                let (first, last) = (try #require(days.first), try #require(days.last))
                #expect(last.number - first.number == days.count - 1, "turn \(turn)")
                #expect(part.final == Set(days))
                for day in days { #expect(seen.insert([part.environment.rawValue, day.name]).inserted) }
            }
            let environments = Set(due.map(\.environment)).count
            #expect(due.count == (turn == 0 ? environments : 2 * environments))
        }
        #expect(seen.count == 4 * ReportDay.daysAtOnce)
    }

    /// Refunds them, reports further renewals, has somebody claim them, or resets the sandbox.
    private func change(
        _ histories: inout [ReportHistory], in ledger: TestLedger, _ catalog: Catalog,
        using generator: inout SeededGenerator
    ) async throws {
        for number in histories.indices {
            histories[number].changeLate(using: &generator)
            try await histories[number].write(to: ledger.ledger, catalog: catalog)
        }
        let owners = try await ledger.rows("SELECT DISTINCT owner FROM lines WHERE environment = 'Sandbox'")
        guard generator.flip(), let owner = owners.randomElement(using: &generator).flatMap(AccountID.init(text:))
        else { return }
        _ = try await ledger.ledger.resetSandbox(
            of: owner, app: nil, try act(), in: RecordingContext(catalog: catalog, date: Self.now))
    }

    // MARK: Changes of days that are over

    /// Changes of the report of a day after its sums were stored.
    static let changes: [(name: String, isReported: Bool, change: @Sendable (TestLedger) async throws -> Void)] = [
        ("a refund", false, { try await $0.record(receipt("b"), club("2", 8, 38, revoked: day(20))) }),
        (
            "a purchase told of late", false,
            { try await $0.receive(notification("x", bought("hints", "9", on: day(8)))) }
        ),
        // It is on none of the days on which the periods before and after it begin and end.
        ("a period between", false, { try await $0.record(receipt("b"), club("2", 5, 36)) }),
        ("a longer period", false, { try await $0.record(receipt("b"), club("3", 38, 98)) }),
        (
            "why it ended", false,
            {
                try await $0.record(
                    receipt("b"), club("1", 1, 8),
                    renewals: [original("1"): RenewalFacts(expirationReason: 1, signedDate: day(69))])
            }
        ),
        ("an owner", true, { try await $0.record(receipt("b"), club("2", 8, 38)) }),
        (
            "terms", false,
            { ledger in
                let later = shop.replacing(
                    #"{"id": "hints""#, with: #"{"id": "gone", "type": "consumable"}, {"id": "hints""#)
                _ = try await ledger.ledger.bindTerms(in: RecordingContext(catalog: try catalog(later), date: today))
            }
        ),
        (
            "a sandbox reset", false,
            { ledger in
                _ = try await ledger.ledger.resetSandbox(of: account(1), app: nil, try act(), in: try ledger.context())
            }
        ),
    ]

    private static func club(
        _ id: TransactionID, _ start: Int, _ end: Int, reason: String? = nil, revoked: Date? = nil
    ) -> Transaction {
        var period = bought(
            "club.month", id, original: "1", on: day(start), until: day(end), revoked: revoked,
            signed: day(revoked == nil ? end : end + 1))
        period.details = PurchaseDetails()
        period.details?.reason = reason
        return period
    }

    /// The earlier periods.
    private static func periods(before change: String) -> [Transaction] {
        change == "a period between"
            ? [club("1", 1, 8), club("3", 38, 68, reason: "PURCHASE")]
            : [club("1", 1, 8), club("2", 8, 38), club("3", 38, 68)]
    }

    @Test(arguments: LedgerKind.allCases, changes.map(\.name))
    func `A change of a day that is over is counted in its report`(kind: LedgerKind, name: String) async throws {
        let ledger = try kind.open()
        let late = try #require(Self.changes.first { $0.name == name })
        try await ledger.join(1)
        let periods = Self.periods(before: name)
        if late.isReported {
            try await ledger.receive(notification("n", periods[0]))
            try await ledger.receive(notification("m", periods[1]))
        } else {
            for period in periods { try await ledger.record(receipt(period.id.text), period) }
        }
        try await ledger.record(receipt("s"), bought("hints", "7", app: "chess", .sandbox, on: day(5)))
        try await ledger.record(receipt("g"), bought("gone", "8", on: day(5)))
        _ = try await ledger.ledger.foldReportDays(at: today)
        let before = try await texts(of: ledger)
        try await late.change(ledger)
        let whole = try await texts(of: ledger) { try await $0.wholeReport($1, at: today) }
        // With another owner, nothing is counted twice.
        #expect((whole != before) == !late.isReported, "nothing changed that is counted")
        #expect(try await texts(of: ledger) == whole, "before the sums are made again")
        #expect(try await ledger.differences() == [])
        _ = try await ledger.ledger.foldReportDays(at: today + 60)
        #expect(try await ledger.rows("SELECT 1 FROM reportChanges") == [])
        #expect(try await ledger.rows("SELECT day FROM reportDays WHERE changes <> folded") == [])
        #expect(try await texts(of: ledger) == whole, "after it")
        #expect(try await ledger.differences() == [])
    }

    private func texts(
        of ledger: TestLedger,
        by report: (any Ledger, ReportQuery) async throws -> Report = { try await $0.report($1, at: today) }
    ) async throws -> [String] {
        var texts: [String] = []
        for kind in ReportKind.allCases {
            for environment in [InAppPurchase.Environment.production, .sandbox] {
                let query = try #require(
                    ReportQuery(kind, by: .day, from: day(0), to: day(101), environment: environment))
                let report = try await report(ledger.ledger, query)
                let rows = report.rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text(of: kind))" }
                texts += rows + ["\(kind) \(environment) \(report.total.text(of: kind))"]
            }
        }
        return texts
    }

    // MARK: What is stored

    @Test(arguments: LedgerKind.allCases)
    func `Reports use the stored sums, and altered sums are found and remade`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1", on: day(90)), bought("words", "2", on: day(91)))
        _ = try await ledger.ledger.foldReportDays(at: today)
        let before = try await texts(of: ledger)
        let sql = try #require(ledger.ledger as? SQLLedger)
        for column in ["total", "products", "storefronts", "versions"] {
            try await sql.database.write { db in
                _ = try db.run("UPDATE reportSums SET \(column) = replace(\(column), '\"units\":1', '\"units\":5')", [])
            }
        }
        let altered = "purchases 2, units 10, types consumable 1 non-consumable 1, unpriced 2"
        #expect(try await texts(of: ledger).contains("purchases Production \(altered)"))
        let found = try await ledger.differences()
        #expect(found.count == 8 && found.allSatisfy { $0.contains("sums of 2026-04-0") }, "\(found)")
        #expect(try await ledger.ledger.remakeReportDays(at: today) > 3_000)
        _ = try await ledger.ledger.foldReportDays(at: today)
        #expect(try await texts(of: ledger) == before)
        #expect(try await ledger.differences() == [])
    }

    /// As after the migration that adds the column.
    @Test(arguments: LedgerKind.allCases)
    func `Days without sums by version are counted, and are no difference`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var hints = bought("hints", "1", on: day(90))
        hints.details = PurchaseDetails()
        hints.details?.appVersion = "2.5"
        try await ledger.record(receipt("a"), hints, bought("words", "2", on: day(91)))
        _ = try await ledger.ledger.foldReportDays(at: today)
        let sql = try #require(ledger.ledger as? SQLLedger)
        try await sql.database.write { db in
            _ = try db.run("UPDATE reportSums SET versions = NULL, storefronts = '{}'", [])
        }
        for (grouping, rows) in [(.version, ["2.5": 1, "unknown": 1]), (.storefront, [:])]
            as [(ReportGrouping, [String: Int])]
        {
            let query = try #require(ReportQuery(.purchases, by: grouping, from: day(0), to: day(101)))
            let report = try await ledger.ledger.report(query, at: today)
            #expect(report.rows.mapValues { $0[.purchases] } == rows, "\(grouping)")
        }
        let found = try await ledger.differences()
        #expect(found.count == 2 && found.allSatisfy { $0.contains("by storefront") }, "\(found)")
    }

    /// Sums of many transactions are made again after a pause; a page shows the older ones and says so.
    @Test(arguments: LedgerKind.allCases)
    func `A page shows stored sums and says as of when`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let copies = (0..<300).map { bought("hints", TransactionID(stored: "\(1_000 + $0)"), on: day(100)) }
        _ = try await ledger.ledger.record(
            receipt("a"), .success(VerifiedReceipt(transactions: copies)), in: try ledger.context())
        let query = try #require(ReportQuery(.purchases, by: .day, from: day(71), to: day(101)))
        let first = try await ledger.ledger.report(query, at: today, .stored)
        #expect(first.isPartial && first.total[.purchases] == 250)
        _ = try await ledger.ledger.foldReportDays(at: today)
        try await ledger.record(receipt("b"), bought("hints", "2", on: day(100)), bought("hints", "3", on: day(99)))
        var shown = try await ledger.ledger.report(query, at: today, .stored)
        #expect(shown.total[.purchases] == 301 && shown.asOf == today && !shown.isPartial)
        #expect(try await ledger.ledger.report(query, at: today).total[.purchases] == 302)
        // Yesterday's single purchase at once; today's after a few hundred milliseconds.
        #expect(try await ledger.ledger.foldReportDays(at: today + 0.1).days == 1)
        shown = try await ledger.ledger.report(query, at: today + 0.1, .stored)
        #expect(shown.total[.purchases] == 301 && shown.asOf == today)
        #expect(try await ledger.ledger.foldReportDays(at: today + 1).days == 1)
        shown = try await ledger.ledger.report(query, at: today + 1, .stored)
        #expect(shown.total[.purchases] == 302 && shown.asOf == nil)
    }

    /// Days that a server took and did not finish are taken over by another after some time.
    @Test(arguments: LedgerKind.allCases)
    func `Days that a server did not finish are summed by another`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"), on: day(90))
        _ = try await ledger.ledger.foldReportDays(at: today)
        try await ledger.record(receipt("b"), bought("hints", "2"), on: day(90))
        let due = try await ledger.ledger.dueReportDays(at: today + 1)
        #expect(due.map(\.changes) == [[ReportDay(of: day(90)): 2]])
        #expect(try await ledger.ledger.dueReportDays(at: today + 120).isEmpty)
        #expect(try await ledger.ledger.foldReportDays(at: today + 121).days == 1)
        #expect(try await ledger.ledger.foldReportDays(at: today + 600).days == 0)
        #expect(try await ledger.differences() == [])
    }

    /// However many days have changed, a run reads as many transactions as it is to count, or one day.
    @Test(arguments: LedgerKind.allCases)
    func `A run takes only as many days as it can count`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        func buy(_ start: Int) async throws {
            for number in 0..<6 {
                let date = day(80 + 2 * number)
                let id = TransactionID(stored: "\(start + number)")
                try await ledger.record(receipt(id.text), bought("hints", id, on: date), on: date)
            }
        }
        try await buy(100)
        _ = try await ledger.ledger.foldReportDays(at: today)
        // As if so many had been bought on each.
        let share = ReportDay.transactionsOfARun / 2
        let sql = try #require(ledger.ledger as? SQLLedger)
        let busy = try await sql.write { try $0.db.run("UPDATE reportDays SET counted = ? WHERE counted > 0", [share]) }
        #expect(busy == 6)
        try await buy(200)
        // After the pause for so many on one day.
        let date = today + Double(share * ReportDay.pausePerTransaction)
        var turns: [Int] = []
        for _ in 0..<4 { turns.append(try await ledger.ledger.dueReportDays(at: date).flatMap(\.changes).count) }
        #expect(turns == [2, 2, 2, 0])
    }

    /// A change while a day is being summed makes it due again.
    @Test(arguments: LedgerKind.allCases)
    func `A change while a day is summed is not lost`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"), on: day(90))
        _ = try await ledger.ledger.foldReportDays(at: today)
        try await ledger.record(receipt("b"), bought("hints", "2"), on: day(90))
        let due = try #require(try await ledger.ledger.dueReportDays(at: today + 1).first)
        let fold = ReportDayFold(of: ReportDay(of: day(90)), in: .production, at: today + 1)
        try await ledger.record(receipt("c"), bought("hints", "3"), on: day(90))
        #expect(try await ledger.ledger.dueReportDays(at: today + 2).map(\.changes) == [[fold.day: 3]])
        try await ledger.ledger.store([fold], of: due, at: today + 3)
        let query = try #require(ReportQuery(.purchases, by: .day, from: day(71), to: day(101)))
        #expect(try await ledger.ledger.report(query, at: today + 3).total[.purchases] == 3)
        #expect(try await ledger.ledger.foldReportDays(at: today + 200).days == 1)
        #expect(try await ledger.ledger.report(query, at: today + 200).total[.purchases] == 3)
        #expect(try await ledger.differences() == [])
    }

    // MARK: Credits, receipts, downloads

    /// By day, stored and counted, whatever comes late; in Production with receipts and downloads.
    @Test(arguments: LedgerKind.allCases)
    func `Credits, receipts and downloads are counted by day`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(
            receipt("a"), bought("hints", "1"), bought("club.month", "2", until: day(120)), on: day(90))
        _ = try await ledger.spend(4, key: "k", on: day(90))
        try await ledger.reject(receipt("d"), .signature, on: day(91))
        try await ledger.record(receipt("c"), bought("hints", "5", app: "chess"), on: day(91))
        _ = try await ledger.issueManifest("hard-words", on: day(91))
        let before = try await activity(of: ledger)
        #expect(
            before == [
                "2026-04-01 given gems 7 hints 10, spent hints 4, receipts verified 1",
                "2026-04-02 given hints 1, receipts rejected 1 verified 1, downloads 1",
            ])
        #expect(try await activity(of: ledger, app: "chess").last?.hasPrefix("2026-04-02 given hints 1") == true)
        #expect(try await activity(of: ledger, app: "chess").first == "2026-04-01 receipts verified 1")
        #expect(try await activity(of: ledger, .sandbox) == [])
        _ = try await ledger.ledger.foldReportDays(at: today)
        #expect(try await activity(of: ledger) == before)
        #expect(try await ledger.differences() == [])
        // The rows of a server whose clock is behind.
        _ = try await ledger.spend(1, key: "l", on: day(90))
        var late = ["2026-04-01 given gems 7 hints 10, spent hints 5, receipts verified 1", before[1]]
        #expect(try await activity(of: ledger) == late)
        try await ledger.reject(receipt("e", by: 2), .signature, on: day(91))
        late[1] = "2026-04-02 given hints 1, receipts rejected 2 verified 1, downloads 1"
        #expect(try await activity(of: ledger) == late)
        _ = try await ledger.ledger.foldReportDays(at: today + 30)
        _ = try await ledger.issueManifest("night-theme", on: day(91))
        late[1] = "2026-04-02 given hints 1, receipts rejected 2 verified 1, downloads 2"
        #expect(try await activity(of: ledger) == late)
        #expect(try await ledger.differences() == [])
        _ = try await ledger.ledger.foldReportDays(at: today + 60)
        let stored = try await ledger.rows(
            "SELECT total FROM reportSums WHERE environment = 'Production' AND day = 20545 AND app = ''")
        #expect(stored == [#"{"activity":{"":{"downloads":2,"receipts":{"rejected":2,"verified":1}}}}"#])
        #expect(try await activity(of: ledger) == late)
        #expect(try await ledger.differences() == [])
    }

    /// A day that is not over by the database's clock is counted anew each time.
    @Test(arguments: LedgerKind.allCases)
    func `The activity of a day that is not over is not stored`(kind: LedgerKind) async throws {
        let (ledger, now) = (try kind.open(), Date())
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1", on: now, signed: now), on: now)
        _ = try await ledger.ledger.foldReportDays(at: now)
        _ = try await ledger.spend(4, key: "k", on: now)
        let day = ReportDay(of: now)
        #expect(try await ledger.rows("SELECT day FROM reportDays WHERE isFinal = 1 AND day >= \(day.number)") == [])
        let report = try await ledger.ledger.activityReport(
            of: day.adding(-29)...day, in: .production, app: nil, at: now)
        #expect(report.total.named(.spent) == ["hints": 4] && report.total.named(.given) == ["hints": 10])
        #expect(try await ledger.differences() == [])
    }

    private func activity(
        of ledger: TestLedger, _ environment: InAppPurchase.Environment = .production, app: BundleID? = nil
    ) async throws -> [String] {
        let report = try await ledger.ledger.activityReport(
            of: ReportDay(of: day(71))...ReportDay(of: day(100)), in: environment, app: app, at: today)
        #expect(report.asOf == nil && !report.isPartial)
        return report.rows.sorted { $0.key < $1.key }.map { name, tally in
            "\(name) " + tally.text(of: [.given, .spent, .receipts, .downloads])
        }
    }

    /// Several servers write and count at once.
    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres])
    func `Several servers share the summing of days`(kind: LedgerKind) async throws {
        var generator = SeededGenerator(seed: 7)
        let ledger = try kind.open()
        let catalog = try catalog(ReportHistory.catalog)
        let histories = (0..<60).map { ReportHistory($0, using: &generator) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<3 {
                group.addTask {
                    for history in histories.dropFirst(part * 20).prefix(20) {
                        try await history.write(to: ledger.ledger, catalog: catalog)
                    }
                }
                group.addTask {
                    for second in 0..<20 {
                        _ = try await ledger.ledger.foldReportDays(at: Self.now + Double(second * 200 + part))
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await ledger.ledger.foldReportDays(at: Self.now + 86_400)
        #expect(try await ledger.rows("SELECT day FROM reportDays WHERE changes <> folded OR folded IS NULL") == [])
        try await compare(ledger, using: &generator, "afterwards")
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: [(0, "1970-01-01"), (-1, "1969-12-31"), (20_000, "2024-10-04")])
    func `A day of a report has its date in UTC as its name`(number: Int, name: String) {
        let day = ReportDay(number)
        #expect(day.name == name && ReportDay(of: day.start) == day && ReportDay(of: day.end - 0.001) == day)
        #expect(ReportDay(of: day.end) == ReportDay(number + 1))
    }
}
