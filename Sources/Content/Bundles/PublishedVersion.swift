import Foundation
import InAppPurchase

/// One readable version of a bundle with its files on disk; empty if it is in a bucket.
struct PublishedVersion: Hashable, Sendable {
    let manifest: Manifest
    let files: [IndexedFile]
    var state = PublicationState.published
    var publishedAt: Date?
    var channel: ReleaseChannel?

    /// A version in a folder made by hand.
    init(bundle: BundleName, version: SemanticVersion, files: [IndexedFile]) {
        self.files = files
        manifest = Manifest(
            bundle: bundle, version: version,
            files: files.map { Manifest.File(path: $0.path, size: $0.stamp.size, sha256: $0.sha256) })
    }

    /// A version of the content repository.
    init(_ record: VersionRecord, files: [IndexedFile]) {
        manifest = record.manifest
        self.files = files
        state = record.state
        publishedAt = record.publishedAt
        channel = record.channel
    }
}
