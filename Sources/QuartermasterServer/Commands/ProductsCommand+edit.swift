import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger

extension ProductsCommand {
    struct Add: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a product, or replace the entry with its ID.",
            discussion: """
                A server that is running has it within two seconds. The audit trail in the ledger tells of it.
                Example: quartermaster products add --app com.example.hangman \\
                    '{"id": "com.example.hangman.fivehints", "type": "consumable", "credits": {"hints": 5}}'
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Option(help: "A file with the entry.")
        var file: String?
        @Argument(help: "The entry as in the catalog; - reads it from standard input.")
        var entry: String?

        func validate() throws {
            guard (file == nil) != (entry == nil) else {
                throw ValidationError("Give the entry, or --file, or - for standard input; one of them.")
            }
        }

        func run(handlers: [any ProductHandler.Type]) async throws {
            try await edit.apply(.put(try json), to: nil, options, handlers)
        }

        private var json: Data {
            get throws {
                if let entry, entry != "-" { return Data(entry.utf8) }
                do {
                    let input = try file.map { try FileHandle(forReadingFrom: URL(filePath: $0)) } ?? .standardInput
                    return try input.read(upToCount: ProductEntry.maximumBytes + 1) ?? Data()
                } catch {
                    throw CommandError("\(file ?? "standard input"): cannot be read: \(error.localizedDescription)")
                }
            }
        }
    }

    struct Remove: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a product off sale. Existing purchases are kept.",
            discussion: """
                A server that is running has it within two seconds. The audit trail in the ledger tells of it.
                A purchase that a player makes before and sends after it waits until the product is there again, and
                so does the next renewal of a subscription; "availableUntil" in its entry is the milder way.
                Example: quartermaster products remove --app com.example.hangman com.example.hangman.fivehints
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Argument(help: "The product's ID.")
        var id: ProductID

        func run(handlers: [any ProductHandler.Type]) async throws {
            try await edit.apply(.remove, to: id, options, handlers)
        }
    }
}

/// The options of the commands that edit the catalog.
struct EditOptions: ParsableArguments {
    @Option(help: "The app's bundle ID.")
    var app: BundleID

    @Option(help: "Fail unless the catalog is at this revision, as printed by `products check`.")
    var ifRevision: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Outcome: Encodable {
        var app: BundleID
        var product: ProductID
        var outcome: CatalogChange.Outcome
        var revision: String
    }

    /// Edits the catalog while a server may be running, and prints the outcome.
    /// - Throws: ``CommandError`` that names the catalog and the mistake.
    fileprivate func apply(
        _ act: CatalogEdit.Act, to product: ProductID?, _ options: SettingOptions,
        _ handlers: [any ProductHandler.Type]
    ) async throws {
        let settings = try await options.settings()
        let content = try await settings.openContent(at: Date(), clock: { Date() })
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        let editor = settings.catalogEditor(ledger, handlers, bundles: content.bundles, nil)
        let edit = CatalogEdit(app: app, product: product, act: act) { _, revision in
            ifRevision == nil || ifRevision == revision
        }
        do {
            let change = try await editor.apply(edit, by: .command(user: NSUserName()), at: Date())
            let outcome = Outcome(
                app: change.app, product: change.product, outcome: change.outcome, revision: change.files.new.revision)
            print(
                json
                    ? try outcome.json
                    : "\(outcome.outcome) \(outcome.product), revision \(outcome.revision)")
        } catch let refusal as CatalogRefusal {
            throw CommandError(
                "\(settings.catalog == .file ? settings.products : "the catalog in the database"): \(refusal.text)")
        } catch let error as LedgerUnavailable {
            throw CommandError("\(settings.databaseName): \(error.detail); the catalog is as it was")
        }
    }
}

extension CatalogRefusal {
    /// The refusal in words, on one line.
    var text: String {
        switch self {
        case .preconditionFailed(let revision): "the catalog is at revision \(revision)"
        case .unreadableEntry(let detail), .invalidProduct(let detail): "the entry is refused: \(detail)"
        default:
            Problem(self).detail ?? Problem(self).title
        }
    }
}
