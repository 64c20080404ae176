import Hummingbird
import InAppPurchase
import Ledger

/// The account report, and the search for the account that a transaction or a receipt belongs to.
struct AccountReportRoutes: Sendable {
    let ledger: any Ledger
    let decisions: ServingContext

    func add(to router: AdminRouter) {
        router.get("accounts", query: ["transaction", "receipt"]) { request, _ in try await find(request) }
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
        switch (query["transaction"].map(String.init), query["receipt"].map(String.init)) {
        case (let transaction?, nil):
            let originals = try await ledger.originalTransactions(
                withTransaction: TransactionID(stored: transaction))
            return try .adminJSON(FoundBody(accounts: originals.map(FoundBody.Account.init)))
        case (nil, let receipt?):
            let account = try await ledger.account(ofReceipt: receipt)
            return try .adminJSON(FoundBody(accounts: [account].compactMap { $0.map(FoundBody.Account.init) }))
        default:
            throw Problem.invalidRequest("One of transaction=<transaction or original ID> and receipt=<receipt ID>.")
        }
    }
}
