import ArgumentParser
import Foundation
import InAppPurchase
import Ledger

struct StatusCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tell whether all is well. Read-only.",
        discussion: """
            Reads the ledger, and asks the server at the settings' address whether it serves. What costs most comes \
            first. Exit status 1 where somebody must act, so that a timer can mail it.

            Example: quartermaster status --config /etc/quartermaster/settings.json
            """)

    @OptionGroup var options: SettingOptions
    @Option(help: "The server's address, if it is not that of the settings: http://host:port.")
    var server: String?
    @Flag(name: .shortAndLong, help: "Print nothing where all is well.")
    var quiet = false
    @Flag(help: "Print JSON.")
    var json = false

    func run(handlers: [any ProductHandler.Type]) async throws {
        let settings = try await options.settings()
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        let overview = try await CommandError.naming(settings.databaseName) {
            try await Overview(ledger, at: Date())
        }
        let report = StatusReport(overview, await ServerAnswer.asking(server ?? settings.serverAddress))
        if json {
            print(try report.body.json)
        } else if !(quiet && report.isWell) {
            print(report.text(for: .standard()))
        }
        if !report.isWell { throw ExitCode.failure }
    }
}
