import Foundation
import Hummingbird
import Ledger

/// Tells administrators whether all is well.
struct OverviewRoutes: Sendable {
    let ledger: any Ledger
    let store: any Store
    let decisions: ServingContext

    /// Adds the route for administrators.
    func add(to router: AdminRouter) {
        router.on(.get, "overview") { _, _ in
            try .adminJSON(OverviewBody(try await Overview(ledger, store, decisions.live, at: decisions.clock())))
        }
    }
}
