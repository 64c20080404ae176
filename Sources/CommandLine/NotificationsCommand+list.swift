import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
package import ServerCore
import ServerHTTP

extension NotificationsCommand {
    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the notifications received, newest first, and the gaps between them. Read-only.",
            discussion: """
                Gaps are those of all apps together, or with --app of one app. If no notifications arrive although \
                there are purchases, or a test notification never arrived, that is printed first.

                Example: quartermaster notifications list --app com.example.hangman --limit 20
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "Only notifications of the app with this bundle ID.") var app: BundleID?
        @Option(help: "Start after this place, as printed with the previous page.") var after: String?
        @Option(help: "The maximum number of entries.") var limit = NotificationListBody.defaultEntries
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            let bounds = 1...NotificationListBody.maximumEntries
            guard bounds.contains(limit) else { throw ValidationError("--limit: a whole number in \(bounds)") }
            guard after.map({ ListedNotification.Position(text: $0) != nil }) ?? true else {
                throw ValidationError("--after: must be the value printed with the previous page")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let question = RemoteQuestion.get(
                "notifications", query: ["app": app?.text, "after": after, "limit": "\(limit)"])
            var alarms: [Alarm] = []
            let body = try await options.body(of: question, or: program.handlers) { ledger, _ in
                alarms = try await Alarm.ofNotifications(ledger, at: Date()) {
                    try? await options.catalog(program.handlers).catalog
                }
                let position = after.flatMap { ListedNotification.Position(text: $0) }
                return try await NotificationListBody(ledger, of: app, after: position, limit: limit, at: Date())
            }
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            output.print(remarks: alarms.map(\.words))
            output.print(body.table(for: output), remarks: body.remarks(for: output))
        }
    }
}

extension NotificationListBody {
    package func table(for output: TextOutput) -> TextTable {
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

    /// The times without notifications, and where the next page begins.
    func remarks(for output: TextOutput) -> [String] {
        (silentSince.map { ["nothing has come since \(output.time($0))"] } ?? [])
            + gaps.map { "nothing came from \(output.time($0.from)) to \(output.time($0.to))" }
            + (next.map { ["there are more: --after \($0)"] } ?? [])
    }
}
