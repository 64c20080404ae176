import InAppPurchase
import SystemPackage

/// All that one scan of the content folder found. A value: replaced whole.
struct ContentIndex: Sendable {
    /// The versions of each bundle, lowest first; never an empty list.
    let versions: [BundleName: [PublishedVersion]]
    private let filesBySHA256: [String: [IndexedFile]]

    init(_ versions: [BundleName: [PublishedVersion]] = [:]) {
        self.versions = versions.compactMapValues { list in
            list.isEmpty ? nil : list.sorted { $0.manifest.version < $1.manifest.version }
        }
        filesBySHA256 = Dictionary(grouping: self.versions.values.joined().flatMap(\.files), by: \.sha256)
    }

    /// The version, or the newest.
    func version(_ version: SemanticVersion?, of bundle: BundleName) -> PublishedVersion? {
        guard let all = versions[bundle] else { return nil }
        if let version { return all.first { $0.manifest.version == version } }
        return all.last { !$0.manifest.version.isPreRelease } ?? all.last
    }

    /// All files with these bytes.
    func files(sha256: String) -> [IndexedFile] { filesBySHA256[sha256] ?? [] }
}

/// One version of a bundle, and the files on disk that it is made of.
struct PublishedVersion: Hashable, Sendable {
    let manifest: Manifest
    let files: [IndexedFile]

    init(bundle: BundleName, version: SemanticVersion, files: [IndexedFile]) {
        self.files = files
        manifest = Manifest(
            bundle: bundle, version: version,
            files: files.map { Manifest.File(path: $0.path, size: $0.stamp.size, sha256: $0.sha256) })
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
