import Basics
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The placements of an app that divide its accounts: which of the groups bought more.
struct PlacementsPage: Sendable {
    /// The maximum number of purchases, and that of accounts, which the page counts.
    private static let maximumCounted = 20_000

    let ledger: any ReportLedger & KeyValueStore
    let decisions: ServingContext

    static func path(of app: BundleID) -> String { "/admin/apps/\(app.text.pathEncoded)/placements" }

    func add(to pages: PageRouter) {
        pages.page("/admin/apps/{bundleID}/placements", .reports, about: .appInPath) { .page(try await content($0)) }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let id = try visit.app
        guard let app = decisions.context.catalog.app(id) else { throw Problem.unknownApp }
        let query = try query(visit, of: id)
        let report = try await PlacementReport(
            query, of: app, since: PlacementDates(ledger).since(in: id), in: ledger, at: visit.date,
            limit: Self.maximumCounted)
        let rows = Dictionary(grouping: report.rows, by: \.placement).sorted { $0.key < $1.key }
        let none = "No placement of the app divides accounts: an A/B test is a placement with variants for buckets."
        let about = Block(
            "\(id)", text: rows.isEmpty ? none : Self.explanation,
            form: .query(Self.path(of: id), Self.fields(query), button: "Show"),
            links: [Link("Reports of the app", "/admin/reports?app=\(id.text.pathEncoded)")])
        return PageContent(
            "A/B tests", notice: report.isPartial ? Self.isPartial : nil,
            [about]
                + rows.map { name, rows in
                    Block(
                        name, text: Self.text(rows, from: query.from, visit),
                        table: Self.table(rows, app.listing.placements[name]?.variants ?? []))
                })
    }

    private func query(_ visit: Visit, of app: BundleID) throws -> ReportQuery {
        let today = ReportDay(of: visit.date)
        func time(_ name: String, _ usual: Date) throws -> Date {
            guard let text = visit.query(name), !text.isEmpty else { return usual }
            guard let date = ReportTime.date(text) else { throw Problem.invalidRequest("\(name): \(ReportTime.form)") }
            return date
        }
        let name = visit.query("environment") ?? InAppPurchase.Environment.production.rawValue
        guard let environment = InAppPurchase.Environment(known: name) else {
            throw Problem.invalidRequest("environment: Production, Sandbox or Xcode")
        }
        let query = try ReportQuery(
            .purchases, by: .day, from: time("from", today.adding(1 - ReportQuery.usualDays).start),
            to: time("to", today.end), environment: environment, app: app)
        guard let query else { throw Problem.invalidRequest(ReportQuery.bounds) }
        return query
    }

    private static let explanation =
        "Each account belongs to one group of a placement, by its ID. Counted is who bought a product that the "
        + "placement offers, anywhere in the app; who saw the placement is not known."

    private static let isPartial = Notice(
        "Not everything is counted: there were more than \(maximumCounted) purchases or new accounts. Choose a shorter "
            + "time, or use quartermaster report placements.", .waiting)

    private static func fields(_ query: ReportQuery) -> [Field] {
        func day(_ label: String, _ name: String, _ date: Date, _ hint: String) -> Field {
            .input(
                label, name: name, type: "date", value: ReportDay(of: date).name, hint: hint, isRequired: false)
        }
        return [
            day("From", "from", query.from, "In UTC."), day("To", "to", query.to, "This day is not included."),
            .choice(
                "Environment", name: "environment", ["Production", "Sandbox", "Xcode"].map { ($0, $0) },
                selected: query.environment.rawValue),
        ]
    }

    private static func text(_ rows: [PlacementReport.Row], from date: Date, _ visit: Visit) -> String {
        let verdict =
            rows.isBeyondChance
            ? "The groups differ more than chance explains." : "The difference between the groups may be chance."
        guard let from = rows.first?.from, from > date else { return verdict }
        return "Counted since the placement was changed last, \(visit.time(from).text). \(verdict)"
    }

    private static func table(_ rows: [PlacementReport.Row], _ variants: [Placement.Variant]) -> Table {
        Table(
            "Groups",
            columns: ["Group", "May be offered", "New accounts", "New buyers", "All buyers", "Purchases", "Prices"],
            rows: rows.map { row in
                let buckets = row.group.buckets
                let offers = row.group.variants.map { number in
                    let products = variants.dropFirst(number - 1).first?.products ?? []
                    return "variant \(number): \(products.map(\.text).joined(separator: ", "))"
                }
                let prices = row.tally.named(.revenue).sorted { $0.key < $1.key }
                    .map { "\(Money.text($0.value)) \($0.key)" }
                return [
                    Cell("\(row.group.share) %", note: "buckets \(buckets.lowerBound) to \(buckets.upperBound)"),
                    Cell(offers.isEmpty ? "nothing" : offers.joined(separator: "; ")), Cell("\(row.newAccounts)"),
                    Cell("\(row.newBuyers)", note: row.conversion.map { "\(percent($0)) of the new accounts" }),
                    Cell("\(row.buyers)"), Cell("\(row.tally[.purchases])"),
                    Cell(prices.isEmpty ? "none known" : prices.joined(separator: ", ")),
                ]
            })
    }

    /// The share with two decimals.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
    }
}

extension [PlacementReport.Row] {
    /// Whether the number of buyers of a group is more than two standard deviations away from what its share of all
    /// accounts lets expect.
    fileprivate var isBeyondChance: Bool {
        let all = Double(map(\.buyers).reduce(0, +))
        return contains { row in
            let share = Double(row.group.share) / 100
            let distance = Double(row.buyers) - all * share
            return distance * distance > 4 * all * share * (1 - share)
        }
    }
}
