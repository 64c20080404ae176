import AuditSeal
import Basics
import Crypto
import Hummingbird

/// Publishes the public keys that verify the audit trail's checkpoints and the bundles' manifests.
struct KeyRoutes: Sendable {
    let keys: AuditKeys
    let manifests: ManifestKeyring

    func add(to router: Router<ServerContext>) {
        router.get("/v1/keys") { _, _ in
            var set = JSONWebKeySet(keys.verifying)
            set.add(manifests.keys.all.map(\.secret.publicKey), for: "manifests")
            return try Response.json(set)
        }
    }
}
