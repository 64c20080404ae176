import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct CatalogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Push, pull and compare revisions of a catalog in the database.",
        discussion: "Needs the setting \"catalog\": \"database\". Every change is a revision with a number.",
        subcommands: [Push.self, Pull.self, Diff.self, History.self, Rollback.self])

    struct Push: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Push a file as the newest revision.",
            discussion: """
                The whole file is checked first. Every running server uses it within a second.
                Example: quartermaster catalog push products.json
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation
        @Argument(help: "The file.") var file: String
        @Option(help: "Fail unless the catalog is at this revision, as printed by `products check`.") var ifRevision:
            String?

        func run(_ program: any ServerProgram) async throws {
            try await options.settings().withSharedCatalog(program.handlers) { editor in
                try await editor.push(CatalogFile.read(file), ifRevision: ifRevision, named: file, confirmation)
            }
        }
    }

    struct Pull: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a revision, byte for byte as it was pushed.",
            discussion: "Example: quartermaster catalog pull > products.json")

        @OptionGroup var options: SettingOptions
        @Argument(help: "The revision's number (default: the newest).") var number: Int?

        func run(_ program: any ServerProgram) async throws {
            try await options.settings().withSharedCatalog(program.handlers) { editor in
                try FileHandle.standardOutput.write(contentsOf: await editor.text(of: number))
            }
        }
    }

    struct Diff: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the products in which a file differs from the newest revision.",
            discussion: """
                + marks a product that a push would add, - one it would remove, ~ one it would change. Prints nothing \
                if the two are the same.
                Example: quartermaster catalog diff products.json
                """)

        @OptionGroup var options: SettingOptions
        @Argument(help: "The file.") var file: String

        func run(_ program: any ServerProgram) async throws {
            try await options.settings().withSharedCatalog(program.handlers) { editor in
                let bundles = editor.bundles()
                let served = try CatalogFile(await editor.text(of: nil), bundles: bundles, handlers: program.handlers)
                let other = try CatalogFile(CatalogFile.read(file), bundles: bundles, handlers: program.handlers)
                for line in CatalogDifference(from: served, to: other).lines { print(line) }
            }
        }
    }

    struct History: ServerCommand {
        /// The maximum number of rows, which is more than anybody reads on a terminal.
        static let maximumRows = 1_000

        static let configuration = CommandConfiguration(
            abstract: "List the revisions, newest first.",
            discussion: "Example: quartermaster catalog history --limit 10")

        @OptionGroup var options: SettingOptions
        @Option(help: "The maximum number of entries.") var limit = 20

        func validate() throws {
            guard (1...Self.maximumRows).contains(limit) else {
                throw ValidationError("--limit: 1 to \(Self.maximumRows)")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            try await options.settings().withSharedCatalog(program.handlers) { editor in
                let output = TextOutput.standard()
                let rows = try await editor.ledger.catalogHistory(before: nil, limit: limit).map { revision in
                    [
                        "\(revision.number)", output.time(revision.date), revision.actor ?? "-",
                        output.isTerminal ? output.size(revision.bytes) : revision.bytes.counted("byte"),
                    ]
                }
                output.print(TextTable(["Revision", "When", "Who", "Size"], rows))
            }
        }
    }

    struct Rollback: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Roll back: push an older revision as the newest.",
            discussion: """
                The old revision is added again under a new number; nothing is lost.
                Example: quartermaster catalog rollback 12
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation
        @Argument(help: "The number of the older revision, as printed by `catalog history`.") var number: Int

        func run(_ program: any ServerProgram) async throws {
            try await options.settings().withSharedCatalog(program.handlers) { editor in
                try await editor.push(
                    await editor.text(of: number), ifRevision: nil, named: "revision \(number)", confirmation)
            }
        }
    }
}

extension Settings {
    /// - Throws: ``/ServerCore/CommandError`` if the catalog is a file, and for every failure in `body`.
    fileprivate func withSharedCatalog(
        _ handlers: [any ProductHandler.Type], _ body: (LedgerCatalogEditor) async throws -> Void
    ) async throws {
        guard catalog == .database else {
            throw CommandError("the catalog is the file \(products); the setting \"catalog\" decides")
        }
        let content = try await openContent(at: Date(), clock: { Date() })
        let ledger = try LedgerOpener.openExisting(database, handlers: handlers)
        do {
            try await body(
                LedgerCatalogEditor(ledger: ledger, handlers: handlers, bundles: content.bundles, activation: nil))
        } catch let error as CatalogError {
            throw CommandError("catalog: \(error)")
        } catch let refusal as CatalogRefusal {
            throw CommandError("catalog: \(refusal.text)")
        } catch let error as LedgerUnavailable {
            throw CommandError("the database: \(error.detail)")
        }
    }
}

extension LedgerCatalogEditor {
    fileprivate func push(
        _ text: Data, ifRevision: String?, named name: String, _ confirmation: Confirmation
    ) async throws {
        do {
            let pushed = try await replace(
                with: text, ifRevision: ifRevision, by: .command(user: NSUserName()), at: Date())
            guard let pushed, let number = pushed.number else { return confirmation.print("unchanged") }
            confirmation.print("revision \(number), \(pushed.revision)")
        } catch let error as CatalogError {
            throw CommandError("\(name): \(error)")
        }
    }

    /// - Parameter number: `nil` for the newest revision.
    /// - Throws: ``/ServerCore/CommandError`` if there is no such revision.
    fileprivate func text(of number: Int?) async throws -> Data {
        guard let number else { return try await LedgerCatalog(ledger: ledger).text() }
        guard let revision = try await ledger.catalogRevision(number) else {
            throw CommandError("there is no revision \(number)")
        }
        return revision.text
    }
}

extension CatalogDifference {
    fileprivate var lines: [String] {
        let marked = added.map { ("+", $0) } + removed.map { ("-", $0) } + changed.map { ("~", $0) }
        let products = marked.map { mark, key in "\(mark) \(key.app)\t\(key.product)" }
        return (products + settings.map { app, names in "* \(app)\t\(names.joined(separator: ", "))" }).sorted()
    }
}
