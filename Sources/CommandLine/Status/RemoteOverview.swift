import ArgumentParser
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

/// The overview of a distant server, which may be of another version and have other alarms.
struct RemoteOverview: Decodable {
    struct Entry: Decodable {
        var alarm: String
        var level: Alarm.Level
        var count: Int
        var since: Date?
        var detail: String
        var remedy: String?

        var title: String { Alarm.Kind(rawValue: alarm)?.title ?? alarm }
    }

    var well: Bool
    var date: Date
    var alarms: [Entry]

    /// The alarms as people read them, headed by how many need somebody.
    func text(for output: TextOutput, _ server: ServerAnswer) -> String {
        let needed = alarms.count { $0.level == .bad || $0.level == .unknown } + (server.isReady ? 0 : 1)
        let headline =
            switch needed {
            case 0: "All is well."
            case 1: "One thing needs you."
            default: "\(needed) things need you."
            }
        let words = "\(server.trouble ?? "serves"), at \(server.address)"
        let first = [server.isReady ? "good" : "bad", "The server", "-", "-", words]
        let rows = alarms.map { entry in
            [
                entry.level.rawValue, entry.title, Overview.number(entry.count),
                entry.since.map { output.isTerminal ? PageTime($0, now: date).distance : $0.rfc3339 } ?? "-",
                entry.detail,
            ]
        }
        let table = TextTable(["State", "What", "Count", "Since", "Detail"], [first] + rows).withoutControlCharacters
        let remedies = alarms.compactMap { entry in
            entry.remedy.map { "\(entry.title): \($0)".withoutControlCharacters }
        }
        return [headline, table.text(for: output), remedies.joined(separator: "\n")].filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }
}

extension StatusCommand {
    /// Reports on a distant server as it says itself.
    func report(on server: RemoteServer) async throws {
        let body = try await server.ask(.get("overview")).body
        let overview: RemoteOverview = try server.decode(body)
        let answer = await ServerAnswer.asking(server.address)
        let isWell = overview.well && answer.isReady
        if json {
            let place: JSONValue = .object(["address": .string(answer.address), "ready": .bool(answer.isReady)])
            print(try ["well": .bool(isWell), "server": place, "overview": try server.decode(body)].json)
        } else if !(quiet && isWell) {
            print(overview.text(for: .standard(), answer))
        }
        if !isWell { throw ExitCode.failure }
    }
}
