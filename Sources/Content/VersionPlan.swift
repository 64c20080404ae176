package import Foundation
package import InAppPurchase

/// A version that is to be published, without its files.
package struct VersionPlan: Sendable {
    package var bundle: BundleName
    package var version: SemanticVersion
    /// It may be below the newest version, as the highest of those with its first two numbers.
    package var isPatch: Bool
    package var minimumAppVersion: SemanticVersion?
    package var maximumAppVersion: SemanticVersion?
    /// A BCP 47 tag.
    package var locale: String?
    /// Who is to be offered it; nil: see ``VersionChoice``.
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

    /// The manifest with these files, checked.
    /// - Throws: ``PublishRefusal``
    package func manifest(files: [Manifest.File]) throws(PublishRefusal) -> Manifest {
        let manifest = Manifest(
            bundle: bundle, version: version, files: files, minimumAppVersion: minimumAppVersion,
            maximumAppVersion: maximumAppVersion, locale: locale)
        try ManifestCheck.check(manifest)
        return manifest
    }
}

/// Who publishes or withdraws something, and when.
package struct PublishingAct: Sendable {
    package var actor: AuditActor
    package var date: Date

    package init(by actor: AuditActor, at date: Date) {
        self.actor = actor
        self.date = date
    }
}

/// A version as it is after an act.
package struct PublishingOutcome: Sendable {
    package var record: VersionRecord
    /// False where it was so before; then nothing was written.
    package var isChanged: Bool
    /// The hashes of the files that a draft still waits for.
    package var missing: [String] = []
    /// Files that are sent as they are, and why nothing could be made of them.
    package var unprepared: [ContentProblem] = []
}
