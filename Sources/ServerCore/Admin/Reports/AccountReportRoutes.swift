import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// The account report, the search for accounts by a transaction, a receipt, an order or a part of an ID, and the newest
/// accounts.
struct AccountReportRoutes: RouteFeature {
    let ledger: any ReceiptLedger & SupportLedger
    let decisions: ServingContext
    let store: any Store

    /// The parameters of which a search has one.
    private static let searches = ["transaction", "originalTransaction", "receipt", "order", "account", "externalID"]

    func add(to groups: RouteGroups) {
        let query = Set(Self.searches + ["bundleID", "after", "limit"])
        groups.admin.on(.get, "accounts", RouteFacts("findAccounts"), query: query, about: .narrowed) {
            try await find($0, $1)
        }
        groups.admin.on(.get, "accounts/{account}", RouteFacts("getAccount"), query: ["after"], about: .narrowed) {
            try await show($0, $1)
        }
    }

    private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let position = try request.uri.queryParameters["after"].map { try PurchasePosition(parameter: String($0)) }
        let report = try await ledger.accountReport(
            of: try context.namedAccount, after: position, limit: AccountReport.maximumEntries,
            narrowedTo: context.administrator.reach, in: decisions.context)
        guard let report else { throw LedgerRefusal.unknownAccount }
        return try .adminJSON(AccountReportBody(report))
    }

    private func find(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = request.uri.queryParameters
        let bundleID = query["bundleID"].map(String.init)
        let named = Self.searches.compactMap { name in query[name[...]].map { (name, String($0)) } }
        let isPage = query["after"] != nil || query["limit"] != nil
        let search = PurchaseSearch(
            ledger: ledger, decisions: decisions, store: store, administrator: try context.administrator)
        if named.isEmpty, bundleID == nil {
            let limit = try request.limit(upTo: FoundBody.maximumEntries, default: FoundBody.defaultEntries)
            return try .adminJSON(
                await search.answer(to: .newest(after: query["after"].map(String.init), limit: limit)))
        }
        guard named.count == 1, let (name, text) = named.first, name == "order" || bundleID == nil, !isPage else {
            throw Problem.invalidRequest(
                """
                One of transaction=<transaction or original ID>, originalTransaction=<original ID>, \
                receipt=<receipt ID>, externalID=<external ID>, order=<order ID> and \
                account=<the first 8 characters of an account's ID>, bundleID=<app> beside order= only; or after= and \
                limit= alone.
                """)
        }
        return try .adminJSON(await search.answer(to: PurchaseSearch.Question(name, text, bundleID: bundleID)))
    }
}
