import ArgumentParser
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct ReceiptsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts", abstract: "List receipts that are pending or were rejected, and retry one.",
        subcommands: [List.self, Retry.self])

    struct Retry: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the running server ask the App Store about a pending receipt at once.",
            discussion: "Example: quartermaster receipts retry r_5Yw2… --reason 'ticket 7'")

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The receipt's ID, as returned to the app.") var receipt: String

        func request(_ acts: SupportActs) -> SupportRequest { .retryReceipt(receipt) }

        var remote: RemoteQuestion { get throws { try .send(["receipts", receipt, "retry"]) } }
    }

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List pending receipts, or rejected receipts and what to do about them. Read-only.",
            discussion: """
                Receipts are also rejected as "unsupported" if the App Store called every request of this server about \
                them wrong: report that as a mistake of the server, not of the player. You can run this while a server \
                is serving.

                Example: quartermaster receipts list --status rejected --order newest
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "pending or rejected.") var status = ListedReceipt.Status.pending.rawValue
        @Option(help: "Only receipts of the app with this bundle ID, as the receipt or the client names it.") var app:
            String?
        @Option(help: "Only receipts that were rejected for this reason, such as signature.") var reason: String?
        @Option(help: "Which receipts to list first: oldest or newest.") var order = "oldest"
        @Option(help: "Start after the receipt with this ID.") var after: String?
        @Option(help: "The maximum number of entries.") var limit = ReceiptListBody.defaultEntries
        @Flag(help: "Print JSON.") var json = false

        private var values: [String: String?] {
            ["status": status, "bundleID": app, "reason": reason, "order": order, "after": after]
        }

        private func query() throws -> ReceiptListQuery {
            try ReceiptListQuery(limit: limit) { [values] in values[$0] ?? nil }
        }

        func validate() throws {
            let bounds = 1...ReceiptListBody.maximumEntries
            guard bounds.contains(limit) else { throw ValidationError("--limit: a whole number in \(bounds)") }
            do { _ = try query() } catch let error as Problem {
                throw ValidationError("--\(error.detail ?? error.title)".replacing("--bundleID", with: "--app"))
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let question = RemoteQuestion.get("receipts", query: values.merging(["limit": "\(limit)"]) { $1 })
            let body = try await options.body(of: question, or: program.handlers) { ledger, _ in
                try await ReceiptListBody(ledger, try query())
            }
            guard let body else { throw CommandError("--after: there is no receipt \(after ?? "")") }
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            output.print(body.table(for: output), remarks: body.remarks)
        }
    }
}
