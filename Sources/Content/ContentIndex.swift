import Foundation
import InAppPurchase
import SystemPackage

/// All that one scan of the content folder found. A value: replaced whole.
struct ContentIndex: Sendable {
    /// The versions of each bundle that can be read, lowest first; never an empty list.
    let versions: [BundleName: [PublishedVersion]]
    /// What is not published yet, by bundle.
    let drafts: [BundleName: [VersionRecord]]
    private let filesBySHA256: [String: [IndexedFile]]

    init(_ versions: [BundleName: [PublishedVersion]] = [:], drafts: [BundleName: [VersionRecord]] = [:]) {
        self.versions = versions.compactMapValues { list in
            list.isEmpty ? nil : list.sorted { $0.manifest.version < $1.manifest.version }
        }
        self.drafts = drafts
        filesBySHA256 = Dictionary(grouping: self.versions.values.joined().flatMap(\.files), by: \.sha256)
    }

    /// The manifest of the version, or of the newest that is offered.
    func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? {
        guard let all = versions[bundle] else { return nil }
        let offered = all.filter { $0.state == .published }
        let found =
            if let version {
                all.first { $0.manifest.version == version }
            } else {
                offered.last { !$0.manifest.version.isPreRelease } ?? offered.last
            }
        return found.map { manifest(of: $0, among: all) }
    }

    /// All versions of the bundle in whatever state, lowest first.
    func records(of bundle: BundleName) -> [VersionRecord] {
        let all = versions[bundle] ?? []
        let readable = all.map { version in
            VersionRecord(
                manifest: manifest(of: version, among: all), state: version.state, publishedAt: version.publishedAt,
                channel: version.channel)
        }
        return (readable + (drafts[bundle] ?? [])).sorted { $0.manifest.version < $1.manifest.version }
    }

    /// Of all files, each once.
    var hashes: some Sequence<String> { filesBySHA256.keys }

    /// All files with these bytes.
    func files(sha256: String) -> [IndexedFile] { filesBySHA256[sha256] ?? [] }

    /// The size of the file with this hash that a version or a draft names; nil where none does.
    func size(ofNamed sha256: String) -> Int? {
        if let file = filesBySHA256[sha256]?.first { return file.stamp.size }
        for draft in drafts.values.joined() {
            if let file = draft.manifest.files.first(where: { $0.sha256 == sha256 }) { return file.size }
        }
        return nil
    }

    private func manifest(of version: PublishedVersion, among all: [PublishedVersion]) -> Manifest {
        var manifest = version.manifest
        manifest.previousVersions = all.map(\.manifest.version).filter { $0 < manifest.version }
        return manifest
    }
}

/// One version of a bundle that can be read, and the files on disk that it is made of.
struct PublishedVersion: Hashable, Sendable {
    let manifest: Manifest
    let files: [IndexedFile]
    var state = PublicationState.published
    var publishedAt: Date?
    var channel: ReleaseChannel?

    /// A version that a folder was made for by hand.
    init(bundle: BundleName, version: SemanticVersion, files: [IndexedFile]) {
        self.files = files
        manifest = Manifest(
            bundle: bundle, version: version,
            files: files.map { Manifest.File(path: $0.path, size: $0.stamp.size, sha256: $0.sha256) })
    }

    /// A version of the store.
    init(_ record: VersionRecord, files: [IndexedFile]) {
        (manifest, self.files) = (record.manifest, files)
        (state, publishedAt, channel) = (record.state, record.publishedAt, record.channel)
    }
}

/// A file that was hashed.
struct IndexedFile: Hashable, Sendable {
    /// Relative to the version's folder.
    let path: String
    let location: FilePath
    let stamp: FileStamp
    let sha256: String
}
