import Foundation
import Hummingbird
import Ledger

/// Lists the notifications of the store.
struct NotificationListRoutes: Sendable {
    let ledger: any Ledger
    let clock: @Sendable () -> Date

    func add(to router: AdminRouter) {
        router.get("notifications", query: ["after", "limit"]) { request, _ in
            let position = try request.uri.queryParameters["after"].map { text in
                guard let position = ListedNotification.Position(text: String(text)) else {
                    throw Problem.invalidRequest("after: the next of the page before")
                }
                return position
            }
            let limit = try request.limit(
                upTo: NotificationListBody.maximumEntries, default: NotificationListBody.defaultEntries)
            return try .adminJSON(await NotificationListBody(ledger, after: position, limit: limit, at: clock()))
        }
    }
}
