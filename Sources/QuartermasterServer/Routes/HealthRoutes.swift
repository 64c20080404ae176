import Hummingbird
import InAppPurchase

/// Whether the process lives, and whether it can serve.
struct HealthRoutes: Sendable {
    let ledger: any Ledger
    let live: LiveCatalog

    func add(to router: Router<ServerContext>) {
        router.get("/health") { _, _ in try Response.json(["status": "alive"]) }
        router.get("/ready") { _, _ in try await ready() }
    }

    private func ready() async throws -> Response {
        _ = try await ledger.isEmpty()
        return try .json(["status": "ready", "catalog": live.current.revision])
    }
}
