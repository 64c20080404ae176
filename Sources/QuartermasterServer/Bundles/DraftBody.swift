import Content
import InAppPurchase
import NIOCore
import ServerHTTP

/// The request to create a draft of a version.
struct DraftBody: JSONRequestBody {
    static let limits = BodyLimits.manifest

    var version: String
    var files: [Manifest.File]
    var minimumAppVersion: String?
    var maximumAppVersion: String?
    var locale: String?
    var patch: Bool?
    var channel: ReleaseChannel?

    /// - Throws: ``/Content/PublishRefusal/member(_:)`` if a version cannot be parsed.
    func plan(_ bundle: BundleName) throws -> VersionPlan {
        guard let version = SemanticVersion(version) else {
            throw PublishRefusal.member("version: not a semantic version, such as 1.1.0")
        }
        return VersionPlan(
            bundle: bundle, version: version, isPatch: patch ?? false,
            minimumAppVersion: try appVersion(minimumAppVersion, "minimumAppVersion"),
            maximumAppVersion: try appVersion(maximumAppVersion, "maximumAppVersion"), locale: locale, channel: channel)
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
    static let manifest = BodyLimits(maximumBytes: 4 << 20, maximumTime: .seconds(64), json: .contentRecord)
}
