import Hummingbird
import InAppPurchase

/// One account in one answer, and which account it is.
struct DossierRoutes: Sendable {
    let dossiers: any AccountDossiers
    let decisions: Decisions

    func add(to router: AdminRouter) {
        router.get("accounts", query: ["transaction", "receipt"]) { request, _ in try await find(request) }
        router.get("accounts/{account}") { _, context in try await show(context) }
    }

    private func show(_ context: ServerContext) async throws -> Response {
        let dossier = try await dossiers.dossier(
            of: try context.namedAccount, limit: AccountDossier.mostEntries, in: decisions.context)
        guard let dossier else { throw LedgerRefusal.unknownAccount }
        return try .json(DossierBody(dossier))
    }

    private func find(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        switch (query["transaction"].map(String.init), query["receipt"].map(String.init)) {
        case (let transaction?, nil):
            let lines = try await dossiers.lines(withTransaction: transaction)
            return try .json(FoundBody(accounts: lines.map(FoundBody.Account.init)))
        case (nil, let receipt?):
            let account = try await dossiers.account(ofReceipt: receipt)
            return try .json(FoundBody(accounts: [account].compactMap { $0.map(FoundBody.Account.init) }))
        default:
            throw Problem.invalidRequest("One of transaction=<transaction or original ID> and receipt=<receipt ID>.")
        }
    }
}
