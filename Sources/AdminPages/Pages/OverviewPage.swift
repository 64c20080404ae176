import Content
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The page that an operator looks at first: who paid and has nothing, and whether the App Store answers.
struct OverviewPage: Sendable {
    /// The interval, in seconds, at which the page is loaded again.
    static let refresh = 30
    private static let newest = 12

    let ledger: any OverviewLedger & AuditLedger
    let decisions: ServingContext
    let store: any Store
    let repository: any ContentRepository

    func add(to pages: PageRouter) {
        pages.page("/admin", .overview, about: .narrowed) { visit in
            // It counts what concerns every app.
            guard visit.administrator.reach == .everything else { return .redirect(PageSection.accounts.path) }
            return .page(try await content(visit))
        }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let overview = try await Overview(ledger, store, decisions, repository, at: visit.date)
        let rows = try await ledger.newestAuditRows(of: nil, before: nil, limit: Self.newest)
        let refreshes = visit.query("refresh") != nil
        var content = PageContent(
            "Overview",
            notice: notice(overview),
            [
                Block(form: AccountSearch.form(visit)),
                alarms(overview, visit),
                setup(overview),
                review(visit),
                Block(
                    "Last events", timeline: rows.map { $0.entry(visit, namesAccount: true) },
                    links: [
                        Link("All events", "/admin/audit"),
                        refreshes
                            ? Link("Stop refreshing", "/admin")
                            : Link("Refresh every \(Self.refresh) seconds", "/admin?refresh=on"),
                    ]),
            ].compactMap(\.self))
        content.refresh = refreshes ? Self.refresh : nil
        return content
    }

    /// The warnings of the start that are not settled; nothing if all are.
    private func setup(_ overview: Overview) -> Block? {
        guard !overview.setup.isEmpty else { return nil }
        let rows = overview.setup.map { item in
            [Cell(item.app?.text ?? "All apps"), Cell(item.detail, note: item.mistake), Cell(item.remedy)]
        }
        return Block(
            "Still to set up", id: "setup",
            table: Table("The server's warnings", columns: ["App", "Warning", "What to do"], rows: rows))
    }

    /// The apps of which a submission to App Review would fail now; no alarm, since only the studio knows of one.
    private func review(_ visit: Visit) -> Block? {
        let apps = decisions.context.catalog.apps.filter { !$0.sandbox.admits(tester: false, at: visit.date) }
        guard !apps.isEmpty else { return nil }
        let names = apps.prefix(3).map(\.bundleID.text).joined(separator: ", ") + (apps.count > 3 ? " and others" : "")
        return Block(
            "Before a submission to App Review", id: "review",
            text: "It would fail now for \(names): the reviewer buys in the sandbox, and is given nothing.",
            links: [Link("Whom each sandbox admits", PageSection.sandbox.path)])
    }

    /// Says whether all is well, and if not, what is wrong: what costs most first.
    private func notice(_ overview: Overview) -> Notice {
        guard !overview.isWell else { return Notice("All is well, as far as this page can tell.", .good) }
        let names = overview.bad.map(\.kind.title).joined(separator: "; ")
        return Notice("\(overview.headline().dropLast()): \(names).", .bad)
    }

    /// The cards of what needs somebody, and those of what is in order, folded.
    private func alarms(_ overview: Overview, _ visit: Visit) -> Block {
        let good = overview.alarms.filter { $0.level == .good }.map { card($0, visit) }
        let others = overview.alarms.filter { $0.level != .good }.map { card($0, visit) }
        return Block(
            cards: others.isEmpty ? nil : others,
            settled: good.isEmpty
                ? nil : Settled("\(good.count.counted("check")) \(good.count == 1 ? "is" : "are") in order", good))
    }

    private func card(_ alarm: Alarm, _ visit: Visit) -> Card {
        let detail = alarm.detail.hasSuffix(".") ? alarm.detail : alarm.detail + "."
        let since = alarm.since.map { "\(detail) Since \(visit.time($0).text)." }
        return Card(
            alarm.kind.title, alarm.value, note: since ?? detail, remedy: alarm.remedy, tone: alarm.level.tone,
            link: alarm.kind.link)
    }
}

extension Alarm {
    /// The number, or a word for the state if there is nothing to count.
    fileprivate var value: String {
        switch kind {
        case .ledgerNotWritable: level == .good ? "Works" : "Fails"
        case .clockBehind: level == .good ? "Right" : "Behind"
        case .receiptsRejected: level == .good ? "Good" : "\(Overview.number(count)) refused"
        case .storeRefusesKey: level == .good ? "In order" : "Refused"
        case .storeOutage: level == .good ? "Answers" : "Does not answer"
        case .testNotification: level == .good ? "In order" : level == .waiting ? "On its way" : "Did not come"
        case .noNotifications: level == .good ? "In order" : level == .waiting ? "Refused" : "Missing"
        case .catalogRefused: level == .good ? "Served" : "Refused"
        case .contentRejected: level == .good ? "Served" : Overview.number(count)
        case .keysUnsigned: level == .good ? "In order" : "\(count) days left"
        case .auditUnsealed: level == .good ? "Sealed" : "Not sealed"
        default: Overview.number(count)
        }
    }
}

extension Alarm.Kind {
    /// The link to what is counted, or to where it is fixed; `nil` where only a command does either.
    fileprivate var link: Link? {
        switch self {
        case .clockBehind: Link("What waits for it", "/admin/receipts?status=pending")
        case .missingProducts: Link("The products to add", "/admin/store#missing")
        case .contentMissing: Link("The published bundles", "/admin/bundles")
        case .receiptsWaiting: Link("The receipts that wait", "/admin/receipts?status=pending")
        case .storeOutage: Link("The App Store's interfaces", "/admin/store")
        case .neverFetched: Link("Bundles that nobody asked for", "/admin/deliveries")
        case .testNotification: Link("The last tests", "/admin/store#tests")
        case .noNotifications: Link("The notifications", "/admin/store#notifications")
        case .unconfirmedDeliveries: Link("The deliveries", "/admin/deliveries")
        case .unavailableProducts: Link("The products", "/admin/store#unavailable")
        case .receiptsRejected: Link("The receipts that were refused", "/admin/receipts?status=rejected")
        case .storeRefusesKey: Link("The apps with a key", "/admin/store")
        case .ledgerNotWritable, .misplacedPurchases, .doubledPeriods, .keysUnsigned: nil
        case .catalogRefused: Link("The catalog", "/admin/products")
        case .contentRejected: Link("The bundles", "/admin/bundles")
        case .auditUnsealed: Link("The audit trail", "/admin/audit")
        }
    }
}

extension Alarm.Level {
    fileprivate var tone: Tone {
        switch self {
        case .good: .good
        case .waiting, .unknown: .waiting
        case .bad: .bad
        }
    }
}
