import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Purchases, refunds and subscriptions of the last days as charts, from the reports that the API and the command line
/// have.
struct ReportsPage: Sendable {
    private static let days = ReportQuery.usualDays

    let ledger: any ReportLedger
    let decisions: ServingContext

    func add(to pages: PageRouter) {
        pages.page("/admin/reports", .reports, about: .narrowed) { .page(try await content($0)) }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let name = visit.query("environment") ?? InAppPurchase.Environment.production.rawValue
        guard let environment = InAppPurchase.Environment(known: name) else {
            throw Problem.invalidRequest("environment: Production, Sandbox or Xcode")
        }
        let reach = visit.administrator.reach
        let apps = decisions.context.catalog.apps.map(\.bundleID).filter(reach.includes)
        let app = try app(visit.query("app"), of: apps, visit)
        let (purchases, refunds, subscriptions) = (
            try await report(.purchases, environment, app, visit), try await report(.refunds, environment, app, visit),
            try await report(.subscriptions, environment, app, visit)
        )
        let activity = try await activity(environment, app, visit)
        let others = try await activityOfAll(activity, environment, visit)
        let reports = [purchases, refunds, subscriptions]
        let activities = [activity] + (others.map { [$0] } ?? [])
        let isPartial = reports.contains(where: \.isPartial) || activities.contains(where: \.isPartial)
        let dates = reports.map(\.asOf) + activities.map(\.asOf)
        let charts =
            Self.charts(purchases, refunds, subscriptions, activity, until: visit.date)
            + (others.map { Self.charts(ofAll: $0, until: visit.date) } ?? [])
        return PageContent(
            "Reports", notice: isPartial ? Self.isPartial : nil,
            [
                Block(
                    text: "The last \(Self.days) days in UTC, today included\(Self.age(dates, visit)). "
                        + "Further reports: quartermaster report.",
                    form: .filter(
                        "/admin/reports", Self.fields(apps, app, environment, reach), button: "Show",
                        isSet: visit.query("app") != nil || visit.query("environment") != nil),
                    links: Self.tests(in: app.map { [$0] } ?? apps, decisions.context.catalog)),
                Block(
                    "Together",
                    facts: Self.facts(purchases.total, refunds.total, subscriptions.total)
                        + Self.facts(activity.total, ofAll: others?.total)),
            ] + Self.notServed(purchases, refunds) + [Block("Day by day", charts: charts)])
    }

    private static func charts(
        _ purchases: Report, _ refunds: Report, _ subscriptions: Report, _ activity: ActivityReport, until date: Date
    ) -> [Chart] {
        let days = days(until: date)
        return [
            chart("Purchases and renewals", "purchases", .plain, days, purchases.rows) {
                $0[.purchases] + $0[.renewals]
            },
            chart("Refunds", "refunds", .bad, days, refunds.rows) { $0[.refunds] },
            chart("Subscriptions that began", "starts", .good, days, subscriptions.rows) {
                $0[.starts] + $0[.restarts]
            },
            chart("Credits given", "given", .plain, days, activity.rows) { $0.sum(.given) },
            chart("Credits spent", "spent", .waiting, days, activity.rows) { $0.sum(.spent) },
        ]
    }

    private static func charts(ofAll activity: ActivityReport, until date: Date) -> [Chart] {
        let days = days(until: date)
        return [
            chart("Receipts accepted, of all apps", "accepted", .good, days, activity.rows) { $0.receipts(.verified) },
            chart("Receipts refused, of all apps", "refused", .bad, days, activity.rows) { $0.receipts(.rejected) },
            chart("Downloads, of all apps", "downloads", .plain, days, activity.rows) { $0[.downloads] },
        ]
    }

    /// - Returns: `nil` for all, which only a token for everything sees.
    private func app(_ name: String?, of apps: [BundleID], _ visit: Visit) throws -> BundleID? {
        let isForEverything = visit.administrator.reach == .everything
        guard let name = name ?? (isForEverything ? nil : apps.first?.text ?? "") else { return nil }
        guard let app = apps.first(where: { $0.text == name }) else { throw Problem.unknownApp }
        return app
    }

    /// Links to the placements that divide accounts, of each app that has any.
    private static func tests(in apps: [BundleID], _ catalog: Catalog) -> [Link] {
        apps.compactMap { catalog.app($0) }.filter { app in
            app.listing.placements.values.contains { $0.groups.count > 1 }
        }
        .map { Link("A/B tests of \($0.bundleID)", PlacementsPage.path(of: $0.bundleID)) }
    }

    private static let isPartial = Notice(
        "Not everything is counted yet: some purchases are missing from these numbers. The server is making the sums of "
            + "each day; look again in a few minutes.", .waiting)

    /// The time as of which the numbers are; empty if that is now.
    private static func age(_ dates: [Date?], _ visit: Visit) -> String {
        dates.compactMap(\.self).min().map { ", as of \(visit.time($0).text)" } ?? ""
    }

    private func report(
        _ kind: ReportKind, _ environment: InAppPurchase.Environment, _ app: BundleID?, _ visit: Visit
    ) async throws -> Report {
        let today = ReportDay(of: visit.date)
        let query = ReportQuery(
            kind, by: .day, from: today.adding(1 - Self.days).start, to: today.end, environment: environment, app: app,
            servedBy: decisions.context.catalog)
        guard let query else { throw Problem.invalidRequest(ReportQuery.bounds) }
        return try await ledger.report(query, at: visit.date, .stored)
    }

    private func activity(
        _ environment: InAppPurchase.Environment, _ app: BundleID?, _ visit: Visit
    ) async throws -> ActivityReport {
        let today = ReportDay(of: visit.date)
        return try await ledger.activityReport(
            of: today.adding(1 - Self.days)...today, in: environment, app: app, at: visit.date)
    }

    /// The activity with receipts and downloads, which are counted with Production, whatever environment is chosen.
    ///
    /// - Returns: `nil` for a token for some apps: they belong to none, and are not even read for it.
    private func activityOfAll(
        _ activity: ActivityReport, _ environment: InAppPurchase.Environment, _ visit: Visit
    ) async throws -> ActivityReport? {
        guard visit.administrator.reach == .everything else { return nil }
        return environment == .production ? activity : try await self.activity(.production, nil, visit)
    }

    /// The days, oldest first, as the reports name them.
    private static func days(until date: Date) -> [String] {
        (0..<days).reversed().map { ReportDay(of: date).adding(-$0).name }
    }

    private static func chart(
        _ title: String, _ id: String, _ tone: Tone, _ days: [String], _ rows: [String: ReportTally],
        _ count: (ReportTally) -> Int
    ) -> Chart {
        let counts = days.map { day in (day: day, count: rows[day].map(count) ?? 0) }
        let (most, total) = (counts.max { $0.count < $1.count }, counts.reduce(0) { $0.saturatingAdding($1.count) })
        let peak = most.flatMap { $0.count > 0 ? ", most of them on \($0.day): \($0.count)" : nil } ?? ""
        return Chart(
            title, id: id, description: "\(total) in \(days.count) days\(peak).", tone: tone, unit: "Number", counts)
    }

    private static func money(_ amounts: [String: Int]) -> String {
        let texts = amounts.sorted { $0.key < $1.key }.map { "\(Money.text($0.value)) \($0.key)" }
        return texts.isEmpty ? "no price known" : texts.joined(separator: ", ")
    }

    private static func facts(_ purchases: ReportTally, _ refunds: ReportTally, _ ended: ReportTally) -> [Fact] {
        [
            Fact("Purchases", Cell("\(purchases[.purchases])", note: "and \(purchases[.renewals]) renewals")),
            Fact("Prices, as the App Store states them", Cell(money(purchases.named(.revenue)))),
            Fact("Refunds", Cell("\(refunds[.refunds])", note: money(refunds.named(.refunded)))),
            Fact("Subscriptions that run now", Cell("\(ended[.active])")),
        ]
    }

    /// The apps that the catalog does not have, with what the store reported of them; empty if that is nothing.
    private static func notServed(_ purchases: Report, _ refunds: Report) -> [Block] {
        let rows = Set(purchases.notServed.keys).union(refunds.notServed.keys).sorted().map { app in
            let bought = purchases.notServed[app] ?? ReportTally()
            let refunded = refunds.notServed[app] ?? ReportTally()
            return [
                .code(app.text),
                Cell("\(bought[.purchases] + bought[.renewals])", note: money(bought.named(.revenue))),
                Cell("\(refunded[.refunds])", note: money(refunded.named(.refunded))),
            ]
        }
        guard !rows.isEmpty else { return [] }
        return [
            Block(
                "Not served",
                text:
                    "The App Store reported purchases of apps that the catalog does not have. They are in none of the "
                    + "other numbers.",
                table: Table(
                    "Apps that are not served", columns: ["App", "Purchases and renewals", "Refunds"], rows: rows))
        ]
    }

    /// - Parameter others: `nil` for a token for some apps.
    private static func facts(_ activity: ReportTally, ofAll others: ReportTally?) -> [Fact] {
        func credits(_ column: ReportColumn) -> String {
            let texts = activity.named(column).sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            return texts.isEmpty ? "none" : texts.joined(separator: ", ")
        }
        let given = Fact("Credits given", Cell(credits(.given), note: "spent: \(credits(.spent))"))
        guard let others else { return [given] }
        return [
            given,
            Fact(
                "Receipts with an answer, of all apps",
                Cell("\(others.sum(.receipts))", note: "\(others.receipts(.rejected)) of them refused")),
            Fact("Downloads, of all apps", Cell("\(others[.downloads])", note: "lists of a bundle's files")),
        ]
    }

    private static func fields(
        _ apps: [BundleID], _ app: BundleID?, _ environment: InAppPurchase.Environment, _ reach: AdminReach
    ) -> [Field] {
        [
            .choice(
                "App", name: "app", (reach == .everything ? [("", "all")] : []) + apps.map { ($0.text, $0.text) },
                selected: app?.text),
            .choice(
                "Environment", name: "environment", ["Production", "Sandbox", "Xcode"].map { ($0, $0) },
                selected: environment.rawValue),
        ]
    }
}

extension ReportTally {
    /// The sum of a column's numbers.
    fileprivate func sum(_ column: ReportColumn) -> Int { named(column).values.reduce(0) { $0.saturatingAdding($1) } }

    fileprivate func receipts(_ status: ReceiptAnswer.Status) -> Int { named(.receipts)[status.rawValue] ?? 0 }
}
