import Hummingbird
import Ledger
import ServerHTTP

/// Lists the accounts that administrators made testers.
struct TesterListRoutes: RouteFeature {
    let ledger: any SupportLedger

    func add(to groups: RouteGroups) {
        groups.admin.on(.get, "testers", RouteFacts("listTesters"), query: ["after", "limit"]) { request, _ in
            let position = try request.uri.queryParameters["after"].map { text in
                guard let position = TesterPosition(text: String(text)) else {
                    throw Problem.invalidRequest("after: must be the next of the previous page")
                }
                return position
            }
            let limit = try request.limit(upTo: TesterListBody.maximumEntries, default: TesterListBody.defaultEntries)
            return try .adminJSON(await TesterListBody(ledger, after: position, limit: limit))
        }
    }
}
