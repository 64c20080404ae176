import AdminPages
import Foundation
import Hummingbird
import InAppPurchase
import Ledger

/// The page that an operator looks at first: who paid and has nothing, and whether the store answers.
struct OverviewPage: Sendable {
    /// In seconds.
    static let refresh = 30
    private static let newest = 12

    let ledger: any Ledger
    let decisions: ServingContext
    let store: any Store

    func add(to pages: PageRouter) {
        pages.page("/admin", .overview, about: .narrowed) { visit in
            // It counts what concerns every app.
            guard visit.administrator.reach == .everything else { return .redirect(PageSection.accounts.path) }
            return .page(try await content(visit))
        }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let overview = try await Overview(ledger, store, decisions.live, at: visit.date)
        let rows = try await ledger.newestAuditRows(of: nil, before: nil, limit: Self.newest)
        let refreshes = visit.query("refresh") != nil
        var content = PageContent(
            "Overview",
            notice: overview.isWell ? Notice("All is well, as far as this page can tell.", .good) : nil,
            [
                Block(form: AccountSearch.form(visit)),
                Block(cards: overview.alarms.map { card($0, visit) }),
                Block(
                    "Last events", timeline: rows.map { $0.entry(visit, namesAccount: true) },
                    links: [
                        Link("All events", "/admin/audit"),
                        refreshes
                            ? Link("Stop refreshing", "/admin")
                            : Link("Refresh every \(Self.refresh) seconds", "/admin?refresh=on"),
                    ]),
            ])
        content.refresh = refreshes ? Self.refresh : nil
        return content
    }

    private func card(_ alarm: Alarm, _ visit: Visit) -> Card {
        let since = alarm.since.map { "\(alarm.detail) Since \(visit.time($0).distance)." }
        return Card(
            alarm.kind.title, alarm.value, note: since ?? alarm.detail, tone: alarm.level.tone, href: alarm.kind.page)
    }
}

extension Alarm {
    /// The number, or what it stands for where there is nothing to count.
    fileprivate var value: String {
        switch kind {
        case .storeOutage: level == .good ? "Answers" : "Does not answer"
        case .testNotification: level == .good ? "In order" : level == .waiting ? "On its way" : "Did not come"
        case .noNotifications: level == .good ? "In order" : "Missing"
        case .catalogRefused: level == .good ? "Served" : "Refused"
        case .auditUnsealed: level == .good ? "Sealed" : "Not sealed"
        default: Overview.number(count)
        }
    }
}

extension Alarm.Kind {
    /// The page that shows what is counted; `nil` if there is none.
    fileprivate var page: String? {
        switch self {
        case .receiptsWaiting: "/admin/receipts?status=pending"
        case .neverFetched, .unconfirmedDeliveries: "/admin/deliveries"
        case .storeOutage, .noNotifications: "/admin/store"
        case .testNotification: "/admin/store#tests"
        case .unavailableProducts: "/admin/store#unavailable"
        case .missingProducts: "/admin/store#missing"
        case .auditUnsealed: "/admin/audit"
        case .catalogRefused: nil
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
