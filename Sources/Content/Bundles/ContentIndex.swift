import InAppPurchase

/// The immutable result of one scan of the content folder or the bucket; replaced as a whole.
struct ContentIndex: Sendable {
    /// The readable versions of each bundle, lowest first; never an empty list.
    let versions: [BundleName: [PublishedVersion]]
    /// The drafts of each bundle.
    let drafts: [BundleName: [VersionRecord]]
    /// All versions of each bundle in any state, lowest first.
    private let records: [BundleName: [VersionRecord]]
    private let filesBySHA256: [String: [IndexedFile]]
    /// The size in bytes of every file that a version names, by its SHA-256.
    private let sizes: [String: Int]

    init(_ versions: [BundleName: [PublishedVersion]] = [:], drafts: [BundleName: [VersionRecord]] = [:]) {
        self.versions = versions.compactMapValues { list in
            list.isEmpty ? nil : list.sorted { $0.manifest.version < $1.manifest.version }
        }
        self.drafts = drafts
        records = self.versions.mapValues(Self.records).merging(drafts, uniquingKeysWith: +)
            .mapValues { $0.sorted { $0.manifest.version < $1.manifest.version } }
        let named = self.versions.values.joined().flatMap(\.manifest.files)
        sizes = Dictionary(named.map { ($0.sha256, $0.size) }) { first, _ in first }
        filesBySHA256 = Dictionary(grouping: self.versions.values.joined().flatMap(\.files), by: \.sha256)
    }

    /// The records of versions in their order, each with the numbers of those before it.
    private static func records(of versions: [PublishedVersion]) -> [VersionRecord] {
        versions.map { version in
            var manifest = version.manifest
            manifest.previousVersions = versions.map(\.manifest.version).filter { $0 < manifest.version }
            return VersionRecord(
                manifest: manifest, state: version.state, publishedAt: version.publishedAt, channel: version.channel)
        }
    }

    /// The manifest of the version, or, if `nil`, of the newest version that is offered.
    func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? {
        let readable = records(of: bundle).filter { $0.state != .draft }
        if let version { return readable.first { $0.manifest.version == version }?.manifest }
        let offered = readable.filter { $0.state == .published }.map(\.manifest)
        return offered.last { !$0.version.isPreRelease } ?? offered.last
    }

    /// All versions of the bundle in any state, lowest first.
    func records(of bundle: BundleName) -> [VersionRecord] { records[bundle] ?? [] }

    /// Whether the other index has the same versions in the same states.
    func hasSameVersions(as other: ContentIndex) -> Bool { records == other.records }

    /// The hashes of all files, each once.
    var hashes: some Sequence<String> { filesBySHA256.keys }

    /// All files with these bytes.
    func files(sha256: String) -> [IndexedFile] { filesBySHA256[sha256] ?? [] }

    /// The size of the file with this hash that a version names, other than a draft; `nil` if none does.
    func size(ofPublished sha256: String) -> Int? { sizes[sha256] }

    /// The size of the file with this hash that a version or a draft names; `nil` if none does.
    func size(ofNamed sha256: String) -> Int? {
        if let size = sizes[sha256] { return size }
        for draft in drafts.values.joined() {
            if let file = draft.manifest.files.first(where: { $0.sha256 == sha256 }) { return file.size }
        }
        return nil
    }
}
