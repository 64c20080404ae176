import Hummingbird
import Ledger
import ServerHTTP

/// Lists pending and rejected receipts.
struct ReceiptListRoutes: RouteFeature {
    let ledger: any ReportLedger

    func add(to groups: RouteGroups) {
        let query: Set = ["status", "bundleID", "reason", "order", "after", "limit"]
        groups.admin.on(.get, "receipts", RouteFacts("listReceipts"), query: query, about: .narrowed) {
            try await list($0, $1)
        }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let parameters = request.uri.queryParameters
        let limit = try request.limit(upTo: ReceiptListBody.maximumEntries, default: ReceiptListBody.defaultEntries)
        var query = try ReceiptListQuery(limit: limit) { parameters[Substring($0)].map(String.init) }
        query.reach = try context.administrator.reach
        guard let body = try await ReceiptListBody(ledger, query) else { throw Problem.noSuchReceipt }
        return try .adminJSON(body)
    }
}
