/// The manifest of one version of a bundle.
public struct IssuedManifest: Hashable, Sendable {
    public var bundle: BundleName
    public var version: String
    /// Of the signed bytes, in lower-case hexadecimal.
    public var sha256: String

    public init(bundle: BundleName, version: String, sha256: String) {
        self.bundle = bundle
        self.version = version
        self.sha256 = sha256
    }
}
