import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import NIOCore

extension NotificationsCommand {
    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the notifications that came, the last first, with the times without any. Read-only.",
            discussion: "Example: quartermaster notifications list --limit 20")

        @OptionGroup var options: SettingOptions
        @Option(help: "Begin after this place, as the page before tells it.")
        var after: String?
        @Option(help: "The maximum number of entries.")
        var limit = NotificationListBody.defaultEntries
        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            let bounds = 1...NotificationListBody.maximumEntries
            guard bounds.contains(limit) else { throw ValidationError("--limit: a whole number in \(bounds)") }
            guard after.map({ ListedNotification.Position(text: $0) != nil }) ?? true else {
                throw ValidationError("--after: the place that the page before tells")
            }
        }

        func run(handlers: [any ProductHandler.Type]) async throws {
            let settings = try await options.settings()
            let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
            let body = try await TrailFiles.naming(settings.databaseName) {
                try await NotificationListBody(
                    ledger, after: after.flatMap { ListedNotification.Position(text: $0) }, limit: limit)
            }
            let output = TextOutput.standard()
            print(json ? String(buffer: try JSONCoding.encode(body)) : body.text(for: output, now: Date()))
        }
    }
}

extension NotificationListBody {
    /// The page for a terminal, or as lines of cells for a pipe, which has neither gaps nor the place of the next page.
    func text(for output: TextOutput, now: Date) -> String {
        let rows = notifications.map { entry in
            [
                output.isTerminal ? PageTime(entry.recordedAt, now: now).text : entry.recordedAt.rfc3339,
                [entry.type, entry.subtype].compactMap { $0 }.joined(separator: "/"), entry.app?.text ?? "",
                entry.environment?.rawValue ?? "", entry.appliedAt == nil ? "waits" : "applied", entry.id,
            ].map(\.withoutControlCharacters)
        }
        let table = TextTable(["Came", "Type", "App", "Environment", "State", "ID"], rows).text(for: output)
        guard output.isTerminal else { return table }
        let silences = gaps.map { "nothing came from \($0.from.rfc3339) to \($0.to.rfc3339)" }
        let more = next.map { ["there are more: --after \($0)"] } ?? []
        return ([rows.isEmpty ? "None came." : table] + silences + more).joined(separator: "\n")
    }
}
