import Content
import Foundation
import Hummingbird
import InAppPurchase

/// A manifest that a client wants to publish.
struct DraftBody: RequestBody {
    static let limits = BodyLimits.manifest

    var version: String
    var files: [Manifest.File]
    var minimumAppVersion: String?
    var maximumAppVersion: String?
    var locale: String?
    var patch: Bool?
    var channel: ReleaseChannel?

    /// - Throws: ``PublishRefusal/member(_:)`` where a version is none.
    func plan(_ bundle: BundleName) throws -> VersionPlan {
        guard let version = SemanticVersion(version) else {
            throw PublishRefusal.member("version: not a semantic version, such as 1.1.0")
        }
        return VersionPlan(
            bundle: bundle, version: version, isPatch: patch ?? false,
            minimumAppVersion: try appVersion(minimumAppVersion, "minimumAppVersion"),
            maximumAppVersion: try appVersion(maximumAppVersion, "maximumAppVersion"), locale: locale)
    }

    private func appVersion(_ text: String?, _ name: String) throws -> SemanticVersion? {
        guard let text else { return nil }
        guard let version = SemanticVersion(appVersion: text) else {
            throw PublishRefusal.member("\(name): not the version of an app, such as 1.10")
        }
        return version
    }
}

struct VersionListBody: Encodable {
    var bundle: BundleName
    /// The lowest first.
    var versions: [VersionBody]
}

struct VersionBody: Encodable {
    var bundle: BundleName
    var version: String
    var state: PublicationState
    var publishedAt: Date?
    var files: Int
    var bytes: Int
    var minimumAppVersion: String?
    var maximumAppVersion: String?
    var locale: String?
    var patch: Bool?
    /// Left out where nobody said.
    var channel: ReleaseChannel?
    /// The hashes of the files that are to be uploaded.
    var missing: [String]?

    init(_ record: VersionRecord, missing: [String]? = nil) {
        let manifest = record.manifest
        bundle = manifest.bundle
        version = manifest.version.description
        state = record.state
        publishedAt = record.publishedAt
        patch = record.isPatch ? true : nil
        files = manifest.files.count
        bytes = manifest.bytes
        locale = manifest.locale
        minimumAppVersion = manifest.minimumAppVersion?.description
        maximumAppVersion = manifest.maximumAppVersion?.description
        channel = record.channel
        self.missing = missing
    }
}

/// The problem document (RFC 9457) that says which files are to be uploaded before a draft can be published.
struct MissingContentBody: Encodable {
    var type = "urn:quartermaster:problem:content_missing"
    var title = "The version has missing files"
    var status = 409
    var code = "content_missing"
    var detail = "Upload them, then publish again."
    var missing: [String]

    init(missing: [String]) { self.missing = missing }

    var response: Response {
        get throws {
            var response = try Response.json(self, status: .conflict)
            response.headers[.contentType] = "application/problem+json"
            return response
        }
    }
}
