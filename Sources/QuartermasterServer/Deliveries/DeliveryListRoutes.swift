import Foundation
import HTTPTypes
import Hummingbird
import Ledger

/// Lists issued manifests, and bundles that were paid for and did not arrive.
struct DeliveryListRoutes: Sendable {
    let ledger: any Ledger
    let clock: @Sendable () -> Date

    /// Adds the routes for administrators.
    func add(to router: AdminRouter) {
        router.get("deliveries", query: ["unconfirmed", "olderThan"]) { request, _ in try await list(request) }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        let unconfirmed = query["unconfirmed"].map(String.init) ?? "false"
        let hours = query["olderThan"].map(String.init) ?? "0"
        guard let isOnlyUnconfirmed = Bool(unconfirmed) else {
            throw Problem.invalidRequest("unconfirmed: true or false")
        }
        guard let hours = Int(hours), let date = DeliveryListBody.date(hours: hours, before: clock()) else {
            throw Problem.invalidRequest("olderThan: hours in \(DeliveryListBody.hourBounds)")
        }
        return try .adminJSON(try await DeliveryListBody(ledger, unconfirmed: isOnlyUnconfirmed, until: date))
    }
}
