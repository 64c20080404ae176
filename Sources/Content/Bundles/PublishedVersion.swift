import Foundation
import InAppPurchase

/// One readable version of a bundle with its files on disk; empty if it is in a bucket.
struct PublishedVersion: Hashable, Sendable {
    let manifest: Manifest
    /// Those of the manifest's files that are there.
    var files: [IndexedFile]
    var state = PublicationState.published
    var publishedAt: Date?
    var channel: ReleaseChannel?
    /// When a file of a folder made by hand was last written.
    private(set) var lastWritten = Date.distantPast

    /// A version in a folder made by hand.
    init(
        bundle: BundleName, version: SemanticVersion, files: [IndexedFile], lastWritten: Date = .distantPast
    ) {
        self.files = files
        self.lastWritten = lastWritten
        manifest = Manifest(
            bundle: bundle, version: version,
            files: files.map { Manifest.File(path: $0.path, size: $0.stamp.size, sha256: $0.sha256) })
    }

    /// A version that an earlier server published from a folder made by hand, not looked for yet.
    init(earlier manifest: Manifest) {
        self.manifest = manifest
        files = []
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
