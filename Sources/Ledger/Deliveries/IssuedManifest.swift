package import InAppPurchase

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
