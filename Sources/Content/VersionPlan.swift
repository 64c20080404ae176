public import Foundation
public import InAppPurchase

/// A version that is to be published, without its files.
public struct VersionPlan: Sendable {
    public var bundle: BundleName
    public var version: SemanticVersion
    /// It may be below the newest version, as the highest of those with its first two numbers.
    public var isPatch: Bool
    public var minimumAppVersion: SemanticVersion?
    public var maximumAppVersion: SemanticVersion?
    /// A BCP 47 tag.
    public var locale: String?
    /// Who is to be offered it; nil: see ``VersionChoice``.
    public var channel: ReleaseChannel?

    public init(
        bundle: BundleName, version: SemanticVersion, isPatch: Bool = false, minimumAppVersion: SemanticVersion? = nil,
        maximumAppVersion: SemanticVersion? = nil, locale: String? = nil, channel: ReleaseChannel? = nil
    ) {
        (self.bundle, self.version, self.isPatch) = (bundle, version, isPatch)
        (self.minimumAppVersion, self.maximumAppVersion) = (minimumAppVersion, maximumAppVersion)
        (self.locale, self.channel) = (locale, channel)
    }

    /// The manifest with these files, checked.
    /// - Throws: ``PublishRefusal``
    public func manifest(files: [Manifest.File]) throws(PublishRefusal) -> Manifest {
        let manifest = Manifest(
            bundle: bundle, version: version, files: files, minimumAppVersion: minimumAppVersion,
            maximumAppVersion: maximumAppVersion, locale: locale)
        try ManifestCheck.check(manifest)
        return manifest
    }
}

/// Who publishes or withdraws something, and when.
public struct PublishingAct: Sendable {
    public var actor: AuditActor
    public var date: Date

    public init(by actor: AuditActor, at date: Date) { (self.actor, self.date) = (actor, date) }
}

/// A version as it is after an act.
public struct PublishingOutcome: Sendable {
    public var record: VersionRecord
    /// False where it was so before; then nothing was written.
    public var isChanged: Bool
    /// The hashes of the files that a draft still waits for.
    public var missing: [String] = []
    /// Files that are sent as they are, and why nothing could be made of them.
    public var unprepared: [ContentProblem] = []
}
