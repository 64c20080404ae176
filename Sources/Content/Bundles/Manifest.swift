package import InAppPurchase

/// The list of files of one version of a bundle, and the app versions and language that it is for.
package struct Manifest: Hashable, Sendable {
    /// One file. Content is addressed by ``sha256``; the path is for the client's disk only.
    package struct File: Hashable, Codable, Sendable {
        /// The path relative to the version's folder, with `/` between its parts on every system.
        package var path: String
        /// The size in bytes.
        package var size: Int
        /// The SHA-256 of the bytes: 64 hexadecimal digits in lower case.
        package var sha256: String

        package init(path: String, size: Int, sha256: String) {
            self.path = path
            self.size = size
            self.sha256 = sha256
        }
    }

    package var bundle: BundleName
    package var version: SemanticVersion
    /// The files, sorted by path, compared byte by byte.
    package private(set) var files: [File]
    /// The lowest app version that can read it; `nil` if there is no such limit.
    package var minimumAppVersion: SemanticVersion?
    /// The highest app version that can read it; `nil` if there is no such limit.
    package var maximumAppVersion: SemanticVersion?
    /// The language of its texts, as a BCP 47 tag.
    package var locale: String?
    /// The versions that clients may have already: those below it, the lowest first, including yanked ones.
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

    /// The size of all files together, in bytes.
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

    /// Encodes the manifest; absent members are left out.
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
