import ArgumentParser
import Basics
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct StatusCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Check whether all is well. Read-only.",
        discussion: """
            Reads the ledger, to which each server also writes once a minute whether the App Store answers and whether \
            the catalog is refused, and asks the server at the address in the settings whether it serves. Then reads \
            settings, catalog, content and keys as a server does at its start, and says whether one would start now; \
            as root, as the user that the ledger belongs to. The most costly problems are printed first, and last what \
            is still to set up. The exit status is 1 if somebody must act, or if something is unknown, so that a timer \
            can mail the output. With --server and an admin token, all is asked of that server; with --server alone, it \
            is only asked whether it serves.

            Example: quartermaster status --config /etc/quartermaster/settings.json
            """)

    @OptionGroup var options: SettingOptions
    @Flag(name: .shortAndLong, help: "Print nothing if all is well.")
    var quiet = false
    @Flag(help: "Print JSON.")
    var json = false

    func run(_ program: any ServerProgram) async throws {
        if RemoteServer.hasToken, let server = try options.remote { return try await report(on: server) }
        let (server, options) = (options.server, options.withoutServer)
        let settings = try await options.settings()
        settings.becomeServersUser()
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: program.handlers)
        var overview = try await CommandError.naming(settings.databaseName) {
            try await Overview(
                ledger, withServersAt: Date(), catalog: { try? await options.catalog(program.handlers).catalog })
        }
        let answer = await ServerAnswer.asking(server ?? settings.serverAddress)
        // What it wrote about itself is from before.
        if answer.isWithoutLedger { overview.setNotWritable() }
        let report = StatusReport(overview, answer, await StartCheck.checking(options, ledger, program))
        if json {
            print(try report.body.json)
        } else if !(quiet && report.isWell) {
            print(report.text(for: .standard()))
        }
        if !report.isWell { throw ExitCode.failure }
    }
}
