import ArgumentParser
import InAppPurchase
import Ledger

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
        @Flag(help: "Print JSON.")
        var json = false

        func run(handlers: [any ProductHandler.Type]) async throws {
            let settings = try await options.settings()
            let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
            let body = try await CommandError.naming(settings.databaseName) {
                UnavailableProductListBody(try await ledger.unavailableProducts(of: nil))
            }
            guard !json else { return print(try body.json) }
            TextOutput.standard().print(body.table)
        }
    }
}
