import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Lists the notifications of the store.
struct NotificationListRoutes: RouteFeature {
    let ledger: any StoreLedger
    let clock: @Sendable () -> Date

    func add(to groups: RouteGroups) {
        let query: Set = ["app", "after", "limit"]
        groups.admin.on(.get, "notifications", RouteFacts("listNotifications"), query: query, about: .narrowed) {
            request, context in
            let app = try Self.app(of: request, for: try context.administrator)
            let position = try request.uri.queryParameters["after"].map { text in
                guard let position = ListedNotification.Position(text: String(text)) else {
                    throw Problem.invalidRequest("after: must be the next of the previous page")
                }
                return position
            }
            let limit = try request.limit(
                upTo: NotificationListBody.maximumEntries, default: NotificationListBody.defaultEntries)
            return try .adminJSON(
                await NotificationListBody(ledger, of: app, after: position, limit: limit, at: clock()))
        }
    }

    /// - Returns: `nil` for the notifications of all apps.
    /// - Throws: 403 for an app, or for all, if the administrator's token is not for them.
    private static func app(of request: Request, for administrator: Administrator) throws -> BundleID? {
        guard let text = request.uri.queryParameters["app"] else {
            try administrator.requireEverything()
            return nil
        }
        // A name that no app can have has no notifications.
        let app = BundleID(stored: String(text))
        try administrator.require(app)
        return app
    }
}
