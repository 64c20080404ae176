import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger
import NIOHTTP1
import ServerCore
import ServerHTTP
import StrictJSON

struct ProductsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products", abstract: "List, show, check and edit the products of the catalog.",
        subcommands: [
            List.self, Show.self, Check.self, Add.self, Edit.self, Remove.self, Unavailable.self, Extension.self,
        ])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the products.", discussion: "Example: quartermaster products list --json")

        @OptionGroup var options: SettingOptions
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let file = try await options.catalog(program.handlers)
            let lines = file.catalog.apps.enumerated().flatMap { index, app in
                app.products.map { Line(app: app, product: $0, entry: file.entry(of: $0.id, in: index)) }
            }
            guard !json else { return print(try lines.json) }
            TextOutput.standard().print(
                TextTable(
                    ["App", "Product", "Type", "Credits", "Duration", "Bundles", "Offered", "Name"], lines.map(\.cells))
            )
        }
    }

    struct Check: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check the catalog against the product handlers and the bundles.",
            discussion: """
                Warns on standard error of what is allowed and probably not intended: a product that gives nothing, a \
                product ID with a space, a placement that names a product which is not in the catalog.
                Example: quartermaster products check --products products.json --content content
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let file = try await options.checkedCatalog(program.handlers)
            for error in file.catalog.apps.flatMap({ file.warnings[$0.bundleID] ?? [] }) {
                try FileHandle.standardError.write(contentsOf: Data("warning: \(error)\n".utf8))
            }
            let counts = Counts(
                revision: file.revision, apps: file.catalog.apps.count,
                products: file.catalog.apps.map(\.products.count).reduce(0, +))
            guard !json else { return print(try counts.json) }
            let products = "\(counts.products.counted("product")) of \(counts.apps.counted("app"))"
            print("\(products), revision \(counts.revision)")
        }
    }

    private struct Counts: Encodable {
        var revision: String
        var apps: Int
        var products: Int
    }

    private struct Line: Encodable {
        private static let availabilityMembers = [
            "availableFrom", "availableUntil", "minimumAppVersion", "platforms", "storefronts",
        ]

        var app: BundleID
        var id: ProductID
        /// The names by language.
        var name: [String: String]?
        var type: ProductType
        var credits: Credits
        /// The member of its entry that says how long one purchase lasts.
        var duration: String?
        var bundles: [BundleName]
        /// The members of its entry that say when and to whom it is offered.
        var availability: [String: JSONValue]

        private let title: String?

        private enum CodingKeys: CodingKey { case app, id, name, type, credits, duration, bundles, availability }

        var cells: [String] {
            let limits = Self.availabilityMembers.compactMap { name in availability[name].map { "\(name)=\($0.text)" } }
            let amounts = credits.map { "\($0.key.text)=\($0.value)" }.sorted()
            return [
                app.text, id.text, type.rawValue, amounts.joined(separator: " "), duration ?? "",
                bundles.map(\.text).joined(separator: ","), limits.joined(separator: " "), title ?? "",
            ]
        }

        init(app: App, product: Product, entry: [String: JSONValue]) {
            self.app = app.bundleID
            id = product.id
            name = product.names.isEmpty ? nil : product.names
            title = product.displayName
            type = product.type
            credits = product.credits
            duration = entry["duration"]?.text
            bundles = product.bundles
            availability = entry.filter { Self.availabilityMembers.contains($0.key) }
        }
    }
}

extension CatalogFile {
    /// The members of an entry as plain JSON.
    fileprivate func entry(of product: ProductID, in app: Int) -> [String: JSONValue] {
        let json = index(of: product, in: app).flatMap { text?.entry($0) }
        return json.flatMap { try? StrictJSON($0, ProductEntry.limits, tolerance: .known).decode() } ?? [:]
    }
}

extension JSONValue {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .array(let values): values.map(\.text).joined(separator: ",")
        default: "\(self)"
        }
    }
}

extension SettingOptions {
    /// The catalog, without checking that its bundles are published.
    /// - Throws: ``/ServerCore/CommandError`` that names the file and the error.
    func catalog(_ handlers: [any ProductHandler.Type]) async throws -> CatalogFile {
        if let server = try remote { return try await server.catalog(handlers) }
        return try await settings().existingCatalog(handlers).load(bundles: nil, handlers: handlers)
    }

    /// The catalog as a server would load it now.
    /// - Throws: ``/ServerCore/CommandError`` that names the file and the error.
    fileprivate func checkedCatalog(_ handlers: [any ProductHandler.Type]) async throws -> CatalogFile {
        if let server = try remote { return try await server.catalog(handlers) }
        let settings = try await settings()
        let source = try settings.existingCatalog(handlers)
        let content = try await settings.openContent(at: Date(), clock: { Date() })
        return try await source.load(bundles: content.bundles(), handlers: handlers)
    }
}

extension ProductsCommand {
    struct Unavailable: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List products that the App Store did not know. Read-only.",
            discussion: """
                Apps report products of the catalog that StoreKit did not return. Each line has the day, the app, the \
                product and the number of addresses that reported it; products reported from fewer than 3 addresses \
                are not shown.

                Example: quartermaster products unavailable
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let body = try await options.withLedger(program.handlers) { ledger, _ in
                UnavailableProductListBody(try await ledger.unavailableProducts(of: nil))
            }
            guard !json else { return print(try body.json) }
            TextOutput.standard().print(body.table)
        }
    }
}

extension ProductsCommand {
    struct Extension: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print how far the App Store is with the last extension for all subscribers of a product.",
            discussion: "Example: quartermaster products extension com.example.hangman.club.monthly")

        @OptionGroup var options: SettingOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The product ID of the subscription.") var product: ProductID
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            if let server = try options.remote {
                let question = RemoteQuestion(
                    method: .GET, path: try place.path(to: product, ["extend"]),
                    query: ["environment": place.environment])
                return try print(String(decoding: await server.ask(question).body, as: UTF8.self))
            }
            let last = try await options.withLedger(program.handlers) { ledger, settings in
                try await program.withStore(
                    settings, ledger: ledger, needsCatalog: true, logger: settings.logger
                ) { store, decisions in
                    let acts = SupportActs(ledger: ledger, decisions: decisions)
                    return try await SubscriberExtensions(ledger: ledger, decisions: decisions, store: store).last(
                        of: product, in: try place.scope(acts))
                }
            }
            guard let last else { throw CommandError("no extension of \(product) was asked for") }
            try print(SubscriberExtensionBody(last).json)
        }

        private func print(_ text: String) throws {
            Swift.print(json ? text : try SupportOptions.lines(text, for: .standard()))
        }
    }
}
