import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// The route that fetches the app transaction of a player's customer from the store.
struct AppTransactionRoutes: RouteFeature {
    let acts: SupportActs
    let fetch: AppTransactionFetch

    func add(to groups: RouteGroups) {
        let facts = RouteFacts("fetchAppTransaction", reads: .json(AppTransactionRequestBody.self))
        let path = "original-transactions/{environment}/{originalID}/app-transaction"
        groups.admin.on(.post, path, facts, from: .support, query: ["dryRun"], about: .narrowed) { request, context in
            let isDryRun = try request.isDryRun
            let body = try await request.decodedBody(AppTransactionRequestBody.self, context)
            let administrator = try context.administrator
            let purchase = try acts.originalTransaction(in: context, bundleID: body.bundleID, by: administrator)
            return try .adminJSON(
                await fetch.answer(about: purchase, by: administrator, reason: body.reason, isDryRun: isDryRun))
        }
    }
}

/// The reason for fetching an app transaction, and the app of the purchase.
struct AppTransactionRequestBody: JSONRequestBody {
    var reason: String
    var bundleID: BundleID?
}
