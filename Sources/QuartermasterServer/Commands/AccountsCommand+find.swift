import ArgumentParser
import InAppPurchase
import Ledger

extension AccountsCommand {
    struct Find: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the account of an order, a transaction or a receipt.",
            discussion: """
                A purchase that the App Store told of and that no account presented is printed as such. An order that is \
                not recorded is asked of the App Store, with the key of each app, and its answer is recorded. A server may \
                be serving meanwhile.

                Example: quartermaster accounts find --order MK5TT0XP7Q
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "The order ID in the e-mail that the App Store sent to the customer.")
        var order: String?
        @Option(help: "Beside --order: the bundle ID of the app that it is of.")
        var app: String?
        @Option(help: "A transaction ID, or an original transaction ID.")
        var transaction: String?
        @Option(help: "An original transaction ID.")
        var originalTransaction: String?
        @Option(help: "The ID of a receipt, as answered to the app.")
        var receipt: String?
        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            guard questions.count == 1, order != nil || app == nil else {
                throw ValidationError(
                    "one of --order, --transaction, --original-transaction and --receipt; --app beside --order only")
            }
        }

        private var questions: [PurchaseSearch.Question] {
            [
                order.map { .order($0, bundleID: app) }, transaction.map { .transaction($0) },
                originalTransaction.map { .originalTransaction($0) }, receipt.map { .receipt($0) },
            ].compactMap { $0 }
        }

        func run(handlers: [any ProductHandler.Type]) async throws {
            let settings = try await options.settings()
            let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
            guard let question = questions.first else { return }
            let found = try await CommandError.naming(settings.databaseName) {
                try await Assembly.withStore(
                    settings, handlers: handlers, ledger: ledger, logger: .standardError(settings.logLevel)
                ) { store, decisions in
                    let search = PurchaseSearch(ledger: ledger, decisions: decisions, store: store)
                    return try await search.answer(to: question)
                }
            }
            print(json ? try found.json : found.text)
        }
    }
}
