import ArgumentParser
import Foundation
import InAppPurchase
import NIOCore
import ServerCore
import ServerHTTP

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Show and change the settings of apps in the catalog.",
        subcommands: [List.self, Show.self, Set.self, Remove.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the apps of the catalog. Read-only.",
            discussion: """
                Prints each app's Apple ID, the number of its products and whom its sandbox admits.

                Example: quartermaster apps list
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let file = try await options.catalog(program.handlers)
            if json {
                guard let body = try AppListBody(file) else { throw CommandError("the catalog is not in UTF-8") }
                return print(try body.json)
            }
            let output = TextOutput.standard()
            output.print(Self.table(of: file.catalog, for: output))
        }

        static func table(of catalog: Catalog, for output: TextOutput) -> TextTable {
            TextTable(
                ["App", "App Store", "Products", "Sandbox"],
                catalog.apps.map { app in
                    [
                        app.bundleID.text, app.appAppleID.map(String.init) ?? "-", "\(app.products.count)",
                        app.sandbox.text(for: output),
                    ]
                })
        }
    }

    struct Show: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the settings of an app. Read-only.",
            discussion: """
                Prints the app's catalog entry without its products; with --json, in the form that `apps set` accepts.

                Example: quartermaster apps show --app com.example.hangman --json
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "The app's bundle ID.") var app: BundleID
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let file = try await options.catalog(program.handlers)
            try file.catalog.require(app)
            guard let text = file.text, let index = file.catalog.apps.firstIndex(where: { $0.bundleID == app }),
                let entry = text.settingsEntry(ofApp: index)
            else {
                throw CommandError("the catalog is not in UTF-8")
            }
            if json { return print(String(decoding: entry, as: UTF8.self)) }
            let settings = text.settings(ofApp: index).sorted { $0.key < $1.key }
                .map { [$0.key, String(decoding: $0.value, as: UTF8.self).onOneLine] }
            let rows = [["bundleID", app.text]] + settings + [["revision", file.revision]]
            TextOutput.standard().print(TextTable(["Setting", "Value"], rows))
        }
    }
}

extension SandboxPolicy {
    /// The accounts that the sandbox admits, in one word or with the end.
    fileprivate func text(for output: TextOutput) -> String {
        switch self {
        case .nobody: "nobody"
        case .testers: "testers"
        case .everyone: "everyone"
        case .everyoneUntil(let end): "everyone until \(output.time(end))"
        }
    }
}

extension String {
    /// JSON without its line breaks, which none of its strings can have.
    var onOneLine: String {
        split(whereSeparator: \.isNewline).map { String($0).trimmed }.joined(separator: " ")
    }
}
