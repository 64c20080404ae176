import ArgumentParser
import Foundation
import InAppPurchase
import Ledger

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
            let body = try await CommandError.naming(settings.databaseName) {
                try await NotificationListBody(
                    ledger, after: after.flatMap { ListedNotification.Position(text: $0) }, limit: limit,
                    at: Date())
            }
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            output.print(body.table(for: output), remarks: body.remarks)
        }
    }
}

extension NotificationListBody {
    func table(for output: TextOutput) -> TextTable {
        TextTable(
            ["Recorded", "Type", "App", "Environment", "State", "ID", "How"],
            notifications.map { entry in
                [
                    output.time(entry.recordedAt),
                    [entry.type, entry.subtype].compactMap { $0 }.joined(separator: "/"),
                    entry.app?.text ?? "", entry.environment?.rawValue ?? "",
                    entry.appliedAt == nil ? "waits" : "applied", entry.id,
                    entry.deliveredAt == nil ? "fetched" : "sent",
                ]
            })
    }

    /// The times without any, and where the next page begins.
    var remarks: [String] {
        (silentSince.map { ["nothing has come since \($0.rfc3339)"] } ?? [])
            + gaps.map { "nothing came from \($0.from.rfc3339) to \($0.to.rfc3339)" }
            + (next.map { ["there are more: --after \($0)"] } ?? [])
    }
}
