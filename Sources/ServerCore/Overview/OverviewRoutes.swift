import Basics
import Foundation
import Hummingbird
import Ledger
import ServerHTTP

/// Tells administrators whether all is well.
struct OverviewRoutes: RouteFeature {
    let ledger: any OverviewLedger
    let store: any Store
    let decisions: ServingContext

    /// Adds the route for administrators.
    func add(to groups: RouteGroups) {
        groups.admin.on(.get, "overview", RouteFacts("readOverview")) { _, _ in
            try .adminJSON(OverviewBody(try await Overview(ledger, store, decisions.live, at: decisions.clock())))
        }
    }
}
