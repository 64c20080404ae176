import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Find and show players' accounts.", subcommands: [Find.self, Show.self])

    struct Show: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the full report on an account. Read-only.",
            discussion: "Example: quartermaster accounts show 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --json")

        @OptionGroup var options: SettingOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Option(help: "Continue with older purchases: the value printed with the previous report.") var after: String?
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard after.map({ PurchasePosition(text: $0) != nil }) ?? true else {
                throw ValidationError("--after: must be the value printed with the previous report")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let question = RemoteQuestion.get("accounts", account.text, query: ["after": after])
            let body = try await options.body(of: question, or: program.handlers) { ledger, settings in
                let context = RecordingContext(
                    catalog: try await settings.existingCatalog(program.handlers)
                        .load(bundles: nil, handlers: program.handlers).catalog,
                    testers: settings.testers,
                    date: Date(), provisionalTime: settings.provisionalTime)
                let report = try await ledger.accountReport(
                    of: account, after: after.flatMap { PurchasePosition(text: $0) },
                    limit: AccountReport.maximumEntries, in: context)
                guard let report else { throw CommandError("\(account.text): there is no such account") }
                return AccountReportBody(report)
            }
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            print(body.text(for: output))
            output.print(remarks: body.remarks)
        }
    }
}
