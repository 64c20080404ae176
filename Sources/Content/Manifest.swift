package import InAppPurchase

/// The list of files of one version of a bundle, and for which apps it is.
package struct Manifest: Hashable, Sendable {
    /// One file. Content is addressed by ``sha256``; the path is for the client's disk only.
    package struct File: Hashable, Codable, Sendable {
        /// Relative to the version's folder, with `/` between its parts on every system.
        package var path: String
        /// In bytes.
        package var size: Int
        /// 64 hexadecimal digits in lower case.
        package var sha256: String

        package init(path: String, size: Int, sha256: String) {
            self.path = path
            self.size = size
            self.sha256 = sha256
        }
    }

    package var bundle: BundleName
    package var version: SemanticVersion
    /// By path, compared byte by byte.
    package private(set) var files: [File]
    /// Older apps cannot read it.
    package var minimumAppVersion: SemanticVersion?
    /// Newer apps cannot read it.
    package var maximumAppVersion: SemanticVersion?
    /// The language that its words are in, as a BCP 47 tag.
    package var locale: String?
    /// What clients may have already: the versions below it, the lowest first, yanked ones among them.
    package var previousVersions: [SemanticVersion]

    package init(
        bundle: BundleName, version: SemanticVersion, files: [File], minimumAppVersion: SemanticVersion? = nil,
        maximumAppVersion: SemanticVersion? = nil, locale: String? = nil, previousVersions: [SemanticVersion] = []
    ) {
        self.bundle = bundle
        self.version = version
        self.locale = locale
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.previousVersions = previousVersions
    }

    /// Of all files, in bytes.
    package var bytes: Int { files.reduce(0) { $0.saturatingAdding($1.size) } }
}

extension Manifest: Codable {
    private enum CodingKeys: String, CodingKey {
        case bundle, version, files, minimumAppVersion, maximumAppVersion, locale, previousVersions
    }

    package init(from decoder: any Decoder) throws {
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
    package func encode(to encoder: any Encoder) throws {
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
