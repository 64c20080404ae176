import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// The route that extends a subscription's renewal date.
struct RenewalDateRoutes: RouteFeature {
    let acts: SupportActs
    let dates: RenewalDates

    func add(to groups: RouteGroups) {
        let facts = RouteFacts("extendRenewalDate", reads: .json(ExtensionRequestBody.self))
        let path = "original-transactions/{environment}/{originalID}/extend"
        groups.admin.on(.post, path, facts, from: .support, query: ["dryRun"], about: .narrowed) {
            try await extended($0, $1)
        }
    }

    private func extended(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let key = try request.optionalIdempotencyKey
        let body = try await request.decodedBody(ExtensionRequestBody.self, context)
        let question = RenewalDates.Question(
            subscription: try acts.originalTransaction(
                in: context, bundleID: body.bundleID, by: context.administrator), days: body.days, key: key)
        return try .adminJSON(
            await dates.answer(to: question, by: try context.administrator, reason: body.reason, isDryRun: isDryRun))
    }
}

/// The number of days by which a renewal date is extended, the reason, and the app of the subscription.
struct ExtensionRequestBody: JSONRequestBody {
    var days: Int
    var reason: String
    var bundleID: BundleID?
}
