package import InAppPurchase

/// A delivery whose manifest was issued within ``ManifestDelivery/quietTime``.
package struct RecentDelivery: Hashable, Sendable {
    package var id: String
    package var version: String
    package var sha256: String
    package var linkLifetime: Int?

    package init(id: String, version: String, sha256: String, linkLifetime: Int?) {
        self.id = id
        self.version = version
        self.sha256 = sha256
        self.linkLifetime = linkLifetime
    }

    /// Whether another request for the manifest changes nothing of what is recorded: its links are valid for no longer.
    package func contains(_ manifest: IssuedManifest) -> Bool {
        isOf(manifest) && manifest.linkLifetime ?? 0 <= linkLifetime ?? 0
    }

    /// Whether it delivers the manifest, whatever the lifetime of the links.
    package func isOf(_ manifest: IssuedManifest) -> Bool { version == manifest.version && sha256 == manifest.sha256 }
}

/// The manifest of one version of a bundle, as issued to an account.
package struct IssuedManifest: Hashable, Sendable {
    package var bundle: BundleName
    package var version: String
    /// The SHA-256 of the signed bytes, in lower-case hexadecimal.
    package var sha256: String
    /// The lifetime of its links in seconds, if an app asked for one.
    package var linkLifetime: Int?

    package init(bundle: BundleName, version: String, sha256: String, linkLifetime: Int? = nil) {
        self.bundle = bundle
        self.version = version
        self.sha256 = sha256
        self.linkLifetime = linkLifetime
    }
}
