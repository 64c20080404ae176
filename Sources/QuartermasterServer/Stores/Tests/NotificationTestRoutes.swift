import Hummingbird
import InAppPurchase

/// Lets administrators test whether the store's notifications arrive.
struct NotificationTestRoutes: Sendable {
    let test: NotificationTest

    func add(to router: AdminRouter) {
        router.on(
            .post, "apps/{bundleID}/test-notification", query: ["environment", "dryRun"], about: .appInPath
        ) { request, context in
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
