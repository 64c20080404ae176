import ArgumentParser
import Foundation
import InAppPurchase
import Logging
import ServerCore
import ServerHTTP

struct NotificationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List App Store notifications, fetch those that were missed, and test whether they arrive.",
        subcommands: [List.self, Reconcile.self, Test.self])

    struct Reconcile: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reconcile with the App Store: read its notification history, and query subscriptions without a recent update.",
            discussion: """
                A server does the same every hour; you can run this while one is serving. Apps without a key for the \
                App Store Server API are left out. The exit status is 1 if a query could not be answered.

                Example: quartermaster notifications reconcile --since 2026-11-01T00:00:00Z --config settings.json
                """)

        @OptionGroup var options: SettingOptions

        @Option(help: "Fetch everything since this time (RFC 3339) instead of since the last run; at most 180 days.")
        var since: String?

        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let since = try since.map { text in
                guard let date = Date(rfc3339: text) else { throw CommandError("--since: must be an RFC 3339 time") }
                return date
            }
            let findings = try await options.withLedger(program.handlers) { ledger, settings in
                try await program.withStore(
                    settings, ledger: ledger, needsCatalog: true,
                    logger: .standardError(confirmation.logLevel(settings.logLevel), settings.logFormat)
                ) { store, _ in try await store.reconcile(since: since) }
            }
            if json { print(try findings.json) } else { confirmation.print(findings.words) }
            guard findings.failures == 0 else {
                let queries = findings.failures.counted("query", "queries")
                throw CommandError("\(queries) without an answer: see the log above")
            }
        }
    }
}

extension ReconciliationFindings {
    /// The findings, on one line.
    fileprivate var words: String {
        "\(notifications.counted("notification")) that had not come, "
            + "\(subscriptionsAsked.counted("subscription")) asked about, "
            + "\(transactions.counted("transaction")) changed"
    }
}
