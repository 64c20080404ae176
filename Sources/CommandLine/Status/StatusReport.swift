import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

/// The report of `quartermaster status`: an overview, whether the server serves, and whether it would start again.
struct StatusReport: Sendable {
    struct Body: Encodable {
        struct Server: Encodable {
            var address: String
            var ready: Bool
        }

        struct Start: Encodable {
            var possible: Bool
            /// The user as whom everything was read.
            var user: String
            /// Omitted if it is possible.
            var error: String?
        }

        var well: Bool
        var server: Server
        var start: Start
        var overview: OverviewBody
    }

    private struct Row {
        var level: Alarm.Level
        var title: String
        var count = "-"
        var since: Date?
        var detail: String
        /// The advice; `nil` unless somebody must act.
        var remedy: String?
    }

    let overview: Overview
    let server: ServerAnswer
    let start: StartCheck

    init(_ overview: Overview, _ server: ServerAnswer, _ start: StartCheck) {
        self.overview = overview
        self.server = server
        self.start = start
    }

    var isWell: Bool { overview.isWell && server.isReady && start.error == nil }

    var body: Body {
        Body(
            well: isWell, server: Body.Server(address: server.address, ready: server.isReady),
            start: Body.Start(possible: start.error == nil, user: start.user, error: start.error),
            overview: OverviewBody(overview))
    }

    /// The whole report, headed by how much needs attention: for people, and for whoever reads the mail of a timer.
    /// Bad ones come first.
    func text(for output: TextOutput) -> String {
        let all = [serverRow, startRow] + overview.alarms.map(row)
        let rows = [Alarm.Level.bad, .unknown, .waiting, .good].flatMap { level in all.filter { $0.level == level } }
        let table = TextTable(["State", "What", "Count", "Since", "Detail"], rows.map { cells($0, output) })
        let remedies = rows.compactMap { row in row.remedy.map { "\(row.title): \($0)" } }
        let sections = [[headline], [table.aligned], remedies, setup]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// The lines about what is still to set up; none if all is.
    private var setup: [String] {
        let items = overview.setup.map { "- \($0.words). \($0.remedy)".withoutControlCharacters }
        return items.isEmpty ? [] : ["Still to set up:"] + items
    }

    private var headline: String {
        overview.headline(besides: (server.isReady ? 0 : 1) + (start.error == nil ? 0 : 1))
    }

    private var serverRow: Row {
        Row(
            level: server.isReady ? .good : .bad, title: "The server",
            detail: "\(server.trouble ?? "serves"), at \(server.address)",
            remedy: server.isReady ? nil : "start it, or look at its log.")
    }

    private var startRow: Row {
        Row(
            level: start.error == nil ? .good : .bad, title: "The next start",
            detail: start.error.map { "no server starts as \(start.user): \($0)" }
                ?? "a server would start as \(start.user)",
            remedy: start.error == nil ? nil : "correct this before the server is stopped or updated.")
    }

    private func row(_ alarm: Alarm) -> Row {
        Row(
            level: alarm.level, title: alarm.kind.title, count: alarm.amount, since: alarm.since, detail: alarm.detail,
            remedy: alarm.remedy)
    }

    private func cells(_ row: Row, _ output: TextOutput) -> [String] {
        let since = row.since.map { output.isTerminal ? PageTime($0, now: overview.date).distance : $0.rfc3339 }
        return [state(row.level, output), row.title, row.count, since ?? "-", row.detail]
    }

    private func state(_ level: Alarm.Level, _ output: TextOutput) -> String {
        switch level {
        case .good: output.coloured("good", .green)
        case .waiting: output.coloured("waiting", .yellow)
        case .bad: output.coloured("bad", .red)
        case .unknown: output.coloured("unknown", .yellow)
        }
    }
}

extension Alarm {
    /// The count with what is counted.
    fileprivate var amount: String {
        guard count > 0 else { return "-" }
        guard let unit = kind.unit else { return Overview.number(count) }
        return "\(Overview.number(count)) \(unit)\(count == 1 ? "" : "s")"
    }
}

extension Alarm.Kind {
    /// The name of one of what is counted; `nil` where it has none.
    fileprivate var unit: String? {
        switch self {
        case .clockBehind: "minute"
        case .missingProducts, .misplacedPurchases, .neverFetched: "purchase"
        case .receiptsWaiting: "receipt"
        case .storeOutage: "interface"
        case .testNotification: "test"
        case .noNotifications: "app"
        case .unconfirmedDeliveries: "download"
        case .unavailableProducts: "product"
        case .doubledPeriods: "period"
        case .contentRejected: "problem"
        case .keysUnsigned: "day"
        default: nil
        }
    }
}
