import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

/// The report of `quartermaster status`: an overview, and whether the server serves.
struct StatusReport: Sendable {
    struct Body: Encodable {
        struct Server: Encodable {
            var address: String
            var ready: Bool
        }

        var well: Bool
        var server: Server
        var overview: OverviewBody
    }

    let overview: Overview
    let server: ServerAnswer

    init(_ overview: Overview, _ server: ServerAnswer) {
        self.overview = overview
        self.server = server
    }

    var isWell: Bool { overview.isWell && server.isReady }

    var body: Body {
        Body(
            well: isWell, server: Body.Server(address: server.address, ready: server.isReady),
            overview: OverviewBody(overview))
    }

    /// The whole report, headed by how much needs attention: for people, and for whoever reads the mail of a timer.
    func text(for output: TextOutput) -> String {
        let rows = [serverRow(output)] + overview.alarms.map { row($0, output) }
        let table = TextTable(["State", "What", "Count", "Since", "Detail"], rows).text(for: output)
        return ([headline, table] + (remedies.isEmpty ? [] : [remedies.joined(separator: "\n")]))
            .joined(separator: "\n\n")
    }

    private var headline: String { overview.headline(besides: server.isReady ? 0 : 1) }

    private var remedies: [String] {
        let first = server.isReady ? [] : ["The server: start it, or look at its log."]
        return first
            + (overview.bad + overview.unknown).compactMap { alarm in alarm.remedy.map { "\(alarm.kind.title): \($0)" }
            }
    }

    private func serverRow(_ output: TextOutput) -> [String] {
        [
            state(server.isReady ? .good : .bad, output), "The server", "-", "-",
            "\(server.trouble ?? "serves"), at \(server.address)",
        ]
    }

    private func row(_ alarm: Alarm, _ output: TextOutput) -> [String] {
        [
            state(alarm.level, output), alarm.kind.title, Overview.number(alarm.count),
            alarm.since.map { output.isTerminal ? PageTime($0, now: overview.date).distance : $0.rfc3339 } ?? "-",
            alarm.detail,
        ]
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
