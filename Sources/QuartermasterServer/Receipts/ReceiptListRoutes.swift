import Hummingbird
import Ledger

/// Lists pending and rejected receipts.
struct ReceiptListRoutes: Sendable {
    let ledger: any Ledger

    func add(to router: AdminRouter) {
        router.get("receipts", query: ["status", "after", "limit"], about: .narrowed) { try await list($0, $1) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = request.uri.queryParameters
        guard let status = query["status"].flatMap({ ListedReceipt.Status(rawValue: String($0)) }) else {
            throw Problem.invalidRequest("status: pending or rejected")
        }
        let limit = try request.limit(
            upTo: ReceiptListBody.maximumEntries, default: ReceiptListBody.defaultEntries)
        let body = try await ReceiptListBody(
            ledger, status, of: try context.administrator.reach, after: query["after"].map(String.init), limit: limit)
        guard let body else { throw Problem.invalidRequest("after: the ID of a receipt") }
        return try .adminJSON(body)
    }
}
