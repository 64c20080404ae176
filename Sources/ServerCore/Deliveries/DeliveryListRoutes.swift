import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import ServerHTTP

/// Lists issued manifests, and bundles that were paid for and not delivered.
struct DeliveryListRoutes: RouteFeature {
    let ledger: any DeliveryLedger
    let clock: @Sendable () -> Date

    /// Adds the routes for administrators.
    func add(to groups: RouteGroups) {
        let parameters: Set = ["unconfirmed", "olderThan", "bundleID", "bundle", "account", "after", "limit"]
        groups.admin.on(.get, "deliveries", RouteFacts("listDeliveries"), query: parameters) { request, _ in
            try await list(request)
        }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        func parameter(_ name: String) -> String? { query[Substring(name)].map(String.init) }
        guard let unconfirmed = Bool(parameter("unconfirmed") ?? "false") else {
            throw Problem.invalidRequest("unconfirmed: true or false")
        }
        guard let hours = Int(parameter("olderThan") ?? "0"), DeliveryListBody.hourBounds.contains(hours) else {
            throw Problem.invalidRequest("olderThan: hours in \(DeliveryListBody.hourBounds)")
        }
        let maximum = DeliveryListBody.maximumEntries
        let body = try await DeliveryListBody(
            ledger,
            DeliveryQuery(
                unconfirmed: unconfirmed, DeliveryFilter(olderThan: hours, at: clock(), parameter),
                after: try parameter("after").map(DeliveryCursor.init(parameter:)),
                limit: try request.limit(upTo: maximum, default: maximum)))
        return try .adminJSON(body)
    }
}
