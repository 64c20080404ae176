import AuditSeal
import Basics
import Crypto
import Hummingbird
import ServerHTTP
import StrictJSON

/// Publishes the public keys that verify the audit trail's checkpoints and the bundles' manifests.
struct KeyRoutes: RouteFeature {
    let keys: AuditKeys
    let manifests: ManifestKeyring

    func add(to groups: RouteGroups) {
        groups.open.on(.get, "keys", RouteFacts("listKeys")) { _, _ in
            var set = JSONWebKeySet(keys.verifying)
            set.add(manifests.keys.all.map(\.secret.publicKey), for: "manifests")
            return try Response.json(set)
        }
    }
}
