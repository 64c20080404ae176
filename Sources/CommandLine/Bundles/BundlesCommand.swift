import ArgumentParser
import Content
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

struct BundlesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundles",
        abstract: "Publish, list and verify bundles. You can run these while a server is running.",
        subcommands: [
            List.self, Publish.self, Promote.self, Yank.self, Restore.self, Discard.self, Verify.self, Collect.self,
        ])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List bundles with their versions, files, bytes, products, state and languages.",
            discussion: """
                Example: quartermaster bundles list --json
                Without --json, prints one line per version: bundle, version, files, bytes, products, state, \
                whether it is essential, and languages, separated by tabs.
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            if let server = try options.remote { return try print(await server.listedBundles()) }
            let report = try await options.bundles(program.handlers)
            try print(report.bundles)
            try report.requireNoProblems()
        }

        private func print(_ bundles: [BundleReport.Bundle]) throws {
            guard !json else { return Swift.print(try bundles.json) }
            let output = TextOutput.standard()
            output.print(
                TextTable(
                    ["Bundle", "Version", "Files", "Size", "Products", "State", "Essential", "Languages"],
                    bundles.flatMap { $0.rows(for: output) }))
        }
    }

    struct Verify: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read every file and verify the bundles against their hashes and the catalog.",
            discussion: """
                Example: quartermaster bundles verify --products products.json --content content
                Says which files differ from what a server that starts now would serve, which folders it would refuse
                and why, and which bundles the products name that are not there. Exit status 1 if there is anything.
                Warns of files made by hand whose names could not be published. Writes nothing. A damaged file of the content repository is put back by removing it and publishing its version again.
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let report = try await options.bundles(program.handlers).verified()
            for warning in report.warnings {
                try FileHandle.standardError.write(contentsOf: Data("warning: \(warning)\n".utf8))
            }
            if json {
                print(try report.summary.json)
            } else {
                for problem in report.problems { print(problem) }
                confirmation.print(report.summary.text)
            }
            try report.requireNoProblems()
        }
    }
}

extension SettingOptions {
    /// The bundles as a server that starts now would load them.
    /// - Throws: ``/ServerCore/CommandError`` that names the catalog and the error in it.
    fileprivate func bundles(_ handlers: [any ProductHandler.Type]) async throws -> BundleReport {
        let settings = try await settings()
        let source = try settings.existingCatalog(handlers)
        let catalog = try await source.load(bundles: nil, handlers: handlers).catalog
        let content = await ContentInspection(
            of: settings.contentPlace(clock: { Date() }), published: try await settings.published(handlers), at: Date())
        return BundleReport(content: content, catalog: catalog, path: source.name)
    }
}

extension Settings {
    /// The manifests that servers of the ledger published from folders made by hand; none if there is no ledger.
    /// - Throws: ``/ServerCore/CommandError`` if the ledger cannot be read.
    fileprivate func published(_ handlers: [any ProductHandler.Type]) async throws -> [Manifest] {
        guard LedgerOpener.mayExist(database) else { return [] }
        return try await CommandError.naming(databaseName) {
            try await PublicationDates.published(in: LedgerOpener.openExisting(database, handlers: handlers))
        }
    }
}
