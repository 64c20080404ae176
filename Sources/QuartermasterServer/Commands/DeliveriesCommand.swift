import ArgumentParser
import Foundation
import InAppPurchase

struct DeliveriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "Show deliveries.", subcommands: [List.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List bundle deliveries, oldest first. Read-only.",
            discussion: """
                With --unconfirmed, what was paid for and did not arrive: manifests that no client confirmed, and \
                bundles bought in Production that nobody asked for. A server may be serving meanwhile.

                Example: quartermaster deliveries list --unconfirmed --older-than 24
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Only deliveries that were paid for and not confirmed.")
        var unconfirmed = false
        @Option(help: "Only deliveries older than this number of hours.")
        var olderThan = 0
        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            guard DeliveryListBody.hourBounds.contains(olderThan) else {
                throw ValidationError("--older-than: hours in \(DeliveryListBody.hourBounds)")
            }
        }

        func run(handlers: [any ProductHandler.Type]) async throws {
            let settings = try await options.settings()
            let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
            let date = DeliveryListBody.date(hours: olderThan, before: Date()) ?? Date()
            let body = try await CommandError.naming(settings.databaseName) {
                try await DeliveryListBody(ledger, unconfirmed: unconfirmed, until: date)
            }
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            output.print(body.table(for: output), remarks: body.truncated ? ["there are more"] : [])
        }
    }
}
