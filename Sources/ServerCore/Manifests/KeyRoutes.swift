package import AuditSeal
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
            set.add(manifests.keys)
            return try Response.json(set)
        }
    }
}

extension JSONWebKeySet {
    /// The public keys of manifests alone.
    package init(_ keys: ManifestKeys) {
        self.init([])
        add(keys)
    }

    /// Adds the public keys of manifests, and what a root says of them.
    mutating func add(_ keys: ManifestKeys) {
        for key in keys.published {
            add(
                key.secret.publicKey, for: "manifests",
                signsFrom: TimeFormat.wholeSeconds.text(of: keys.signsFrom(key)))
        }
        rootSignature = keys.list?.jws
        version = keys.list?.list.version
    }
}
