import Foundation
package import InAppPurchase

/// A version to be published, without its files.
package struct VersionPlan: Sendable {
    package var bundle: BundleName
    package var version: SemanticVersion
    /// Whether it may be below the newest version, as the highest of those with its first two numbers.
    package var isPatch: Bool
    package var minimumAppVersion: SemanticVersion?
    package var maximumAppVersion: SemanticVersion?
    /// A BCP 47 tag.
    package var locale: String?
    /// Whether apps should download it as soon as a player may have it.
    package var isEssential: Bool
    /// The languages of the players that it is for, as BCP 47 tags; empty if it is for all.
    package var languages: [String]
    /// The channel on which it is offered; for `nil` see ``VersionChoice``.
    package var channel: ReleaseChannel?

    package init(
        bundle: BundleName, version: SemanticVersion, isPatch: Bool = false, minimumAppVersion: SemanticVersion? = nil,
        maximumAppVersion: SemanticVersion? = nil, locale: String? = nil, isEssential: Bool = false,
        languages: [String] = [], channel: ReleaseChannel? = nil
    ) {
        self.bundle = bundle
        self.version = version
        self.isPatch = isPatch
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.locale = locale
        self.isEssential = isEssential
        self.languages = languages
        self.channel = channel
    }

    /// The tags in a list with commas between them, such as `en, zh-Hant`; they are not checked.
    package static func languages(in list: String) -> [String] {
        list.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The checked manifest with these files.
    ///
    /// - Throws: ``PublishRefusal``
    package func manifest(files: [Manifest.File]) throws(PublishRefusal) -> Manifest {
        let manifest = Manifest(
            bundle: bundle, version: version, files: files, minimumAppVersion: minimumAppVersion,
            maximumAppVersion: maximumAppVersion, locale: locale, isEssential: isEssential, languages: languages)
        try ManifestCheck.check(manifest)
        return manifest
    }
}
