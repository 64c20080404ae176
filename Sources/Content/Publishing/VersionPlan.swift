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
    /// The channel on which it is offered; for `nil` see ``VersionChoice``.
    package var channel: ReleaseChannel?

    package init(
        bundle: BundleName, version: SemanticVersion, isPatch: Bool = false, minimumAppVersion: SemanticVersion? = nil,
        maximumAppVersion: SemanticVersion? = nil, locale: String? = nil, channel: ReleaseChannel? = nil
    ) {
        self.bundle = bundle
        self.version = version
        self.isPatch = isPatch
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.locale = locale
        self.channel = channel
    }

    /// The checked manifest with these files.
    ///
    /// - Throws: ``PublishRefusal``
    package func manifest(files: [Manifest.File]) throws(PublishRefusal) -> Manifest {
        let manifest = Manifest(
            bundle: bundle, version: version, files: files, minimumAppVersion: minimumAppVersion,
            maximumAppVersion: maximumAppVersion, locale: locale)
        try ManifestCheck.check(manifest)
        return manifest
    }
}
