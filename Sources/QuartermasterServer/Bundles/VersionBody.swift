import Content
import Foundation
import InAppPurchase

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
    /// Omitted if the publisher did not set one.
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
