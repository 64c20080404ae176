import Hummingbird
import InAppPurchase

/// Lets administrators test whether the store's notifications arrive.
struct NotificationTestRoutes: Sendable {
    let test: NotificationTest

    func add(to router: AdminRouter) {
        router.post("apps/{bundleID}/test-notification", query: ["environment"], about: .appInPath) {
            request, context in
            let requested = try await test.request(
                of: context.pathPart("bundleID", as: BundleID.self),
                in: request.uri.queryParameters["environment"].map(String.init), by: context.actor)
            return try .adminJSON(requested)
        }
    }
}
