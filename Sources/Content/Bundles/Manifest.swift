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
    /// Whether apps should download it as soon as a player may have it. Not part of the signed manifest.
    package var isEssential: Bool
    /// The languages of the players that it is for, as BCP 47 tags; empty if it is for all. Not part of the signed
    /// manifest.
    package var languages: [String]
    /// The versions that clients may have already: those below it, the lowest first, including yanked ones.
    package var previousVersions: [SemanticVersion]

    package init(
        bundle: BundleName, version: SemanticVersion, files: [File], minimumAppVersion: SemanticVersion? = nil,
        maximumAppVersion: SemanticVersion? = nil, locale: String? = nil, isEssential: Bool = false,
        languages: [String] = [], previousVersions: [SemanticVersion] = []
    ) {
        self.bundle = bundle
        self.version = version
        self.locale = locale
        self.isEssential = isEssential
        self.languages = languages
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.previousVersions = previousVersions
    }

    /// ``isEssential`` as lists tell it, which leave out what is usual.
    package var listedEssential: Bool? { isEssential ? true : nil }

    /// ``languages`` as lists tell them.
    package var listedLanguages: [String]? { languages.isEmpty ? nil : languages }

    /// The size of all files together, in bytes.
    package var bytes: Int { files.reduce(0) { $0.saturatingAdding($1.size) } }
}

extension Manifest: Codable {
    private enum CodingKeys: String, CodingKey {
        case bundle, version, files, minimumAppVersion, maximumAppVersion, locale, languages, previousVersions
        case isEssential = "essential"
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
            isEssential: try members.decodeIfPresent(Bool.self, forKey: .isEssential) ?? false,
            languages: try members.decodeIfPresent([String].self, forKey: .languages) ?? [],
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
        if isEssential { try members.encode(isEssential, forKey: .isEssential) }
        if !languages.isEmpty { try members.encode(languages, forKey: .languages) }
        if !previousVersions.isEmpty { try members.encode(previousVersions, forKey: .previousVersions) }
    }
}
