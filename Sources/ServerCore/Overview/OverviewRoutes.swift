import Basics
import Content
import Foundation
import Hummingbird
import Ledger
import ServerHTTP

/// Tells administrators whether all is well.
struct OverviewRoutes: RouteFeature {
    let ledger: any OverviewLedger
    let store: any Store
    let decisions: ServingContext
    let content: any ContentRepository

    /// Adds the route for administrators.
    func add(to groups: RouteGroups) {
        groups.admin.on(.get, "overview", RouteFacts("readOverview")) { _, _ in
            let overview = try await Overview(ledger, store, decisions, content, at: decisions.clock())
            return try .adminJSON(OverviewBody(overview))
        }
    }
}
