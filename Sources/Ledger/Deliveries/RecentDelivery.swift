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
    package func isOf(_ manifest: IssuedManifest) -> Bool {
        version == manifest.version && sha256 == manifest.sha256
    }
}
