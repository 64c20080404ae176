public import InAppPurchase

/// The list of files of one version of a bundle, and for which apps it is.
public struct Manifest: Hashable, Sendable {
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
    /// Older apps cannot read it.
    public var minimumAppVersion: SemanticVersion?
    /// Newer apps cannot read it.
    public var maximumAppVersion: SemanticVersion?
    /// The language that its words are in, as a BCP 47 tag.
    public var locale: String?
    /// What clients may have already: the versions below it, the lowest first, yanked ones among them.
    public var previousVersions: [SemanticVersion]

    public init(
        bundle: BundleName, version: SemanticVersion, files: [File], minimumAppVersion: SemanticVersion? = nil,
        maximumAppVersion: SemanticVersion? = nil, locale: String? = nil, previousVersions: [SemanticVersion] = []
    ) {
        (self.bundle, self.version, self.locale) = (bundle, version, locale)
        (self.minimumAppVersion, self.maximumAppVersion) = (minimumAppVersion, maximumAppVersion)
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.previousVersions = previousVersions
    }

    /// Of all files, in bytes.
    public var bytes: Int { files.reduce(0) { $0.saturatingAdding($1.size) } }
}

extension Manifest: Codable {
    private enum CodingKeys: String, CodingKey {
        case bundle, version, files, minimumAppVersion, maximumAppVersion, locale, previousVersions
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            bundle: try members.decode(BundleName.self, forKey: .bundle),
            version: try members.decode(SemanticVersion.self, forKey: .version),
            files: try members.decode([File].self, forKey: .files),
            minimumAppVersion: try members.decodeIfPresent(SemanticVersion.self, forKey: .minimumAppVersion),
            maximumAppVersion: try members.decodeIfPresent(SemanticVersion.self, forKey: .maximumAppVersion),
            locale: try members.decodeIfPresent(String.self, forKey: .locale),
            previousVersions: try members.decodeIfPresent([SemanticVersion].self, forKey: .previousVersions) ?? [])
    }

    /// Leaves out what there is none of.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(bundle, forKey: .bundle)
        try members.encode(version, forKey: .version)
        try members.encode(files, forKey: .files)
        try members.encodeIfPresent(minimumAppVersion, forKey: .minimumAppVersion)
        try members.encodeIfPresent(maximumAppVersion, forKey: .maximumAppVersion)
        try members.encodeIfPresent(locale, forKey: .locale)
        if !previousVersions.isEmpty { try members.encode(previousVersions, forKey: .previousVersions) }
    }
}
