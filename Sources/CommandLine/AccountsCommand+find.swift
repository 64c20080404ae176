import ArgumentParser
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension AccountsCommand {
    struct Find: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                Find an account by an order, a transaction, a receipt, an external ID or a part of its ID, or list the \
                newest.
                """,
            discussion: """
                Purchases that the App Store reported and no account has presented are marked as such. An order that \
                is not recorded is looked up in the App Store with each app's key, and the answer is recorded. You can \
                run this while a server is serving.

                Example: quartermaster accounts find --order MK5TT0XP7Q
                Example: quartermaster accounts find --limit 20
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "The order ID from the App Store's e-mail to the customer.") var order: String?
        @Option(help: "With --order: the bundle ID of the app it belongs to.") var app: String?
        @Option(help: "A transaction ID, or an original transaction ID.") var transaction: String?
        @Option(help: "An original transaction ID.") var originalTransaction: String?
        @Option(help: "A receipt ID, as returned to the app.") var receipt: String?
        @Option(help: "The first 8 characters of the account's ID, or more.") var account: String?
        @Option(
            name: .customLong("external-id"), help: "The ID that the studio's own systems have for the player.")
        var externalID: String?
        @Option(help: "When listing the newest accounts: start after this account.") var after: String?
        @Option(help: "When listing the newest accounts: the maximum number of entries (default: 100).") var limit: Int?
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            let isPage = after != nil || limit != nil
            guard questions.count <= 1, order != nil || app == nil, questions.isEmpty || !isPage else {
                throw ValidationError(
                    "one of --order, --transaction, --original-transaction, --receipt, --account and --external-id, --app "
                        + "beside --order only; --after and --limit without them")
            }
            guard (1...FoundBody.maximumEntries).contains(limit ?? 1) else {
                throw ValidationError("--limit: 1 to \(FoundBody.maximumEntries)")
            }
        }

        private var questions: [PurchaseSearch.Question] {
            [
                order.map { .order($0, bundleID: app) }, transaction.map { .transaction($0) },
                originalTransaction.map { .originalTransaction($0) }, receipt.map { .receipt($0) },
                account.map { .account($0) }, externalID.map { .externalID($0) },
            ].compactMap { $0 }
        }

        func run(_ program: any ServerProgram) async throws {
            let question = questions.first ?? .newest(after: after, limit: limit ?? FoundBody.defaultEntries)
            let remote = RemoteQuestion.get(
                "accounts",
                query: [
                    "order": order, "bundleID": app, "transaction": transaction,
                    "originalTransaction": originalTransaction, "receipt": receipt, "account": account,
                    "externalID": externalID, "after": after, "limit": limit.map(String.init),
                ])
            let found = try await options.body(of: remote, or: program.handlers) { ledger, settings in
                try await program.withStore(
                    settings, ledger: ledger, needsCatalog: order != nil,
                    logger: settings.logger
                ) { store, decisions in
                    if let app { try decisions.context.catalog.require(BundleID(stored: app)) }
                    let search = PurchaseSearch(
                        ledger: ledger, decisions: decisions, store: store, administrator: .operatingSystemUser)
                    return try await search.answer(to: question)
                }
            }
            guard !json else { return print(try found.json) }
            let (output, table) = (TextOutput.standard(), found.table(for: .standard()))
            guard !table.rows.isEmpty else { return output.print(remarks: [found.emptyText]) }
            let more = found.next.map { "there are more: --after \($0)" }
            output.print(table, remarks: [found.remark, more].compactMap { $0 })
        }
    }
}
