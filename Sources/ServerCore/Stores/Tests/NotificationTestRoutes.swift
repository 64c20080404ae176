import Hummingbird
import InAppPurchase
import ServerHTTP

/// Lets administrators test whether the store's notifications arrive.
struct NotificationTestRoutes: RouteFeature {
    let test: NotificationTest

    func add(to groups: RouteGroups) {
        let facts = RouteFacts("testNotification", reads: .json(ReasonBody.self))
        let (path, query) = ("apps/{bundleID}/test-notification", ["environment", "dryRun"] as Set)
        groups.admin.on(.post, path, facts, query: query, about: .appInPath) { request, context in
            let isDryRun = try request.isDryRun
            let (app, actor) = (try context.pathPart("bundleID", as: BundleID.self), try context.actor)
            let environment = request.uri.queryParameters["environment"].map(String.init)
            let reason = try await request.decodedBody(ReasonBody.self, context).reason
            guard !isDryRun else {
                return try .adminJSON(
                    DryRunBody(await test.preview(of: app, in: environment, by: actor, reason: reason)))
            }
            return try .adminJSON(await test.request(of: app, in: environment, by: actor, reason: reason))
        }
    }
}
