import Hummingbird
import InAppPurchase
import Ledger

/// The account report, and the search for the account that a transaction or a receipt belongs to.
struct AccountReportRoutes: Sendable {
    let ledger: any Ledger
    let decisions: ServingContext
    let store: any Store

    func add(to router: AdminRouter) {
        router.get("accounts", query: ["transaction", "receipt", "order", "bundleID"]) { request, _ in
            try await find(request)
        }
        router.get("accounts/{account}") { _, context in try await show(context) }
    }

    private func show(_ context: ServerContext) async throws -> Response {
        let report = try await ledger.accountReport(
            of: try context.namedAccount, limit: AccountReport.maximumEntries, in: decisions.context)
        guard let report else { throw LedgerRefusal.unknownAccount }
        return try .adminJSON(AccountReportBody(report))
    }

    private func find(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        let members = ["transaction", "receipt", "order"].map { query[$0[...]].map(String.init) }
        guard members.count(where: { $0 != nil }) == 1, members[2] != nil || query["bundleID"] == nil else {
            throw Problem.invalidRequest(
                """
                One of transaction=<transaction or original ID>, receipt=<receipt ID> and order=<order ID>; \
                bundleID=<app> beside order= only.
                """)
        }
        if let order = members[2] {
            let search = OrderSearch(ledger: ledger, decisions: decisions, store: store)
            return try .adminJSON(
                await search.accounts(ofOrder: order, bundleID: query["bundleID"].map(String.init)))
        }
        if let transaction = members[0] {
            let id = TransactionID(stored: transaction)
            return try .adminJSON(FoundBody(try await ledger.originalTransactions(withTransaction: id)))
        }
        let account = try await ledger.account(ofReceipt: members[1] ?? "")
        return try .adminJSON(FoundBody(accounts: [account].compactMap { $0.map(FoundBody.Account.init) }))
    }
}
