package import Content
package import InAppPurchase
import NIOCore
package import ServerHTTP

/// The request to create a draft of a version.
package struct DraftBody: JSONRequestBody, Encodable {
    package static let limits = BodyLimits.manifest

    package var version: String
    package var files: [Manifest.File]
    package var minimumAppVersion: String?
    package var maximumAppVersion: String?
    package var locale: String?
    package var essential: Bool?
    package var languages: [String]?
    package var patch: Bool?
    package var channel: ReleaseChannel?

    package init(
        version: String, files: [Manifest.File], minimumAppVersion: String? = nil, maximumAppVersion: String? = nil,
        locale: String? = nil, essential: Bool? = nil, languages: [String]? = nil, patch: Bool? = nil,
        channel: ReleaseChannel? = nil
    ) {
        self.version = version
        self.files = files
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.locale = locale
        self.essential = essential
        self.languages = languages
        self.patch = patch
        self.channel = channel
    }

    /// - Throws: ``/Content/PublishRefusal/member(_:)`` if a version cannot be parsed.
    package func plan(_ bundle: BundleName) throws -> VersionPlan {
        guard let version = SemanticVersion(version) else {
            throw PublishRefusal.member("version: not a semantic version, such as 1.1.0")
        }
        return VersionPlan(
            bundle: bundle, version: version, isPatch: patch ?? false,
            minimumAppVersion: try appVersion(minimumAppVersion, "minimumAppVersion"),
            maximumAppVersion: try appVersion(maximumAppVersion, "maximumAppVersion"), locale: locale,
            isEssential: essential ?? false, languages: languages ?? [], channel: channel)
    }

    private func appVersion(_ text: String?, _ name: String) throws -> SemanticVersion? {
        guard let text else { return nil }
        guard let version = SemanticVersion(appVersion: text) else {
            throw PublishRefusal.member("\(name): not the version of an app, such as 1.10")
        }
        return version
    }
}

extension BodyLimits {
    /// A manifest with the largest number of files that a version may have, at paths of usual length; at 64 KiB a
    /// second.
    package static let manifest = BodyLimits(maximumBytes: 4 << 20, maximumTime: .seconds(64), json: .contentRecord)
}
