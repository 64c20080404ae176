import AuditSeal
import Hummingbird

/// The public keys that the audit trail's checkpoints are checked with.
struct KeyRoutes: Sendable {
    let keys: AuditKeys

    func add(to router: Router<ServerContext>) {
        router.get("/v1/keys") { _, _ in try Response.json(JSONWebKeySet(keys.verifying)) }
    }
}
