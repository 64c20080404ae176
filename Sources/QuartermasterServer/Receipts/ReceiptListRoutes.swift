import Hummingbird
import Ledger

/// Lists pending and rejected receipts.
struct ReceiptListRoutes: Sendable {
    let ledger: any Ledger

    func add(to router: AdminRouter) {
        router.get("receipts", query: ["status", "after", "limit"]) { request, _ in try await list(request) }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        guard let status = query["status"].flatMap({ ListedReceipt.Status(rawValue: String($0)) }) else {
            throw Problem.invalidRequest("status: pending or rejected")
        }
        let bounds = 1...ReceiptListBody.maximumEntries
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), bounds.contains(limit) else {
                throw Problem.invalidRequest("limit: a whole number in \(bounds.lowerBound)...\(bounds.upperBound)")
            }
            return limit
        }
        let body = try await ReceiptListBody(
            ledger, status, after: query["after"].map(String.init), limit: limit ?? ReceiptListBody.defaultEntries)
        guard let body else { throw Problem.invalidRequest("after: the ID of a receipt") }
        return try .adminJSON(body)
    }
}
