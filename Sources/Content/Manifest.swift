public import InAppPurchase

/// The list of files of one version of a bundle.
public struct Manifest: Hashable, Codable, Sendable {
    /// One file. Content is addressed by ``sha256``; the path is for the client's disk only.
    public struct File: Hashable, Codable, Sendable {
        /// Relative to the version's folder, with `/` between its parts on every system.
        public var path: String
        /// In bytes.
        public var size: Int
        /// 64 hexadecimal digits in lower case.
        public var sha256: String

        public init(path: String, size: Int, sha256: String) {
            (self.path, self.size, self.sha256) = (path, size, sha256)
        }
    }

    public var bundle: BundleName
    public var version: SemanticVersion
    /// By path, compared byte by byte.
    public private(set) var files: [File]

    public init(bundle: BundleName, version: SemanticVersion, files: [File]) {
        (self.bundle, self.version) = (bundle, version)
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
