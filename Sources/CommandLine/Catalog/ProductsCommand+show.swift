import ArgumentParser
import Foundation
import InAppPurchase
import ServerCore
import StrictJSON

extension ProductsCommand {
    struct Show: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a product. Read-only.",
            discussion: """
                Prints each member of the product's entry in the catalog; with --json, the entry in the form that \
                `products add` accepts.

                Example: quartermaster products show com.example.hangman.tenhints
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "The app's bundle ID (default: the app that has the product).") var app: BundleID?
        @Argument(help: "The product's ID.") var id: ProductID
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let file = try await options.catalog(program.handlers)
            let (app, entry) = try file.entry(of: id, in: app)
            guard !json else { return print(String(decoding: entry, as: UTF8.self)) }
            let members = try StrictJSON(entry, ProductEntry.limits, tolerance: .known).root.members.map {
                [$0.name.string ?? "", String(decoding: JSONStyle.plain.text(of: $0.value), as: UTF8.self)]
            }
            let rows = [["app", app.text]] + members + [["revision", file.revision]]
            TextOutput.standard().print(TextTable(["Member", "Value"], rows))
        }
    }
}

extension CatalogFile {
    /// The entry of a product, and the app that has it.
    ///
    /// - Parameter name: the app; `nil` for the only one that has the product.
    /// - Throws: ``/ServerCore/CommandError`` if there is none, or several apps have it.
    fileprivate func entry(of product: ProductID, in name: BundleID?) throws -> (app: BundleID, entry: Data) {
        let found = catalog.apps.enumerated().compactMap { number, app -> (app: BundleID, entry: Data)? in
            guard name == nil || name == app.bundleID, let index = index(of: product, in: number) else { return nil }
            return text?.entry(index).map { (app.bundleID, $0) }
        }
        guard let first = found.first else {
            throw CommandError("the catalog has no product \(product)\(name.map { " of \($0)" } ?? "")")
        }
        guard found.count == 1 else {
            let apps = found.map(\.app.text).joined(separator: ", ")
            throw CommandError("\(product) is in several apps; name one with --app: \(apps)")
        }
        return first
    }
}
