import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct DeliveriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "List deliveries.", subcommands: [List.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List bundle deliveries, oldest first. Read-only.",
            discussion: """
                With --unconfirmed, lists what was paid for and may not have arrived: manifests that no client \
                confirmed, and bundles that nobody asked for. Only purchases in Production that were not refunded \
                count; open bundles and products given by support are left out, because nobody paid for them. You can \
                run this while a server is serving.

                Example: quartermaster deliveries list --unconfirmed --older-than 24 --bundle hard-words
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Only deliveries that were paid for and not confirmed.") var unconfirmed = false
        @Option(help: "Only deliveries older than this number of hours.") var olderThan = 0
        @Option(help: "With --unconfirmed, only purchases made in the app with this bundle ID.") var app: String?
        @Option(help: "Only this bundle.") var bundle: String?
        @Option(help: "Only this account.") var account: String?
        @Option(help: "Start after the previous page: the value that it printed.") var after: String?
        @Option(help: "The maximum number of entries in each list.") var limit = DeliveryListBody.maximumEntries
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard DeliveryListBody.hourBounds.contains(olderThan) else {
                throw ValidationError("--older-than: hours in \(DeliveryListBody.hourBounds)")
            }
            let bounds = 1...DeliveryListBody.maximumEntries
            guard bounds.contains(limit) else { throw ValidationError("--limit: a whole number in \(bounds)") }
            do { _ = try query(at: Date()) } catch let error as Problem {
                throw ValidationError("--\(error.detail ?? error.title)".replacing("--bundleID", with: "--app"))
            }
        }

        private func query(at now: Date) throws -> DeliveryQuery {
            let filter = try DeliveryFilter(olderThan: olderThan, at: now) { name in
                switch name {
                case "bundleID": app
                case "bundle": bundle
                default: account
                }
            }
            return try DeliveryQuery(
                unconfirmed: unconfirmed, filter, after: after.map(DeliveryCursor.init(parameter:)), limit: limit)
        }

        func run(_ program: any ServerProgram) async throws {
            let query = try query(at: Date())
            let question = RemoteQuestion.get(
                "deliveries",
                query: [
                    "unconfirmed": "\(unconfirmed)", "olderThan": "\(olderThan)", "bundleID": app, "bundle": bundle,
                    "account": account, "after": after, "limit": "\(limit)",
                ])
            let body = try await options.body(of: question, or: program.handlers) { ledger, _ in
                try await DeliveryListBody(ledger, query)
            }
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            output.print(body.table(for: output), remarks: body.next.map { ["there are more: --after \($0)"] } ?? [])
        }
    }
}
