import Foundation

/// The folder on disk: complete files by their hash in `objects`, others in `partial`, versions made of hard links in
/// `versions`, and what is installed in `bundles`.
struct BundleFolder: Sendable {
    let root: URL
    /// Held while the needs of a download are recorded, and while unneeded files are removed.
    let needs = NSLock()

    init(root: URL) { self.root = root }

    /// Makes the folder.
    func prepare() throws {
        for name in ["objects", "partial", "versions", "bundles", "unfinished", "remembered"] {
            try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
        }
    }

    /// Confirmations of bundles that are no longer installed.
    var outbox: StoredFile<[BundleRecord.Confirmation]> { StoredFile(root.appendingPathComponent("outbox.json")) }

    func object(_ hash: ContentHash) -> URL { folder("objects").appendingPathComponent(hash.text) }
    func partial(_ hash: ContentHash) -> URL { folder("partial").appendingPathComponent(hash.text) }
    /// The file that a patch writes.
    func patched(_ hash: ContentHash) -> URL { folder("partial").appendingPathComponent(hash.text + ".patched") }

    func record(_ bundle: String) -> StoredFile<BundleRecord> { StoredFile(file("bundles", bundle)) }
    func unfinished(_ bundle: String) -> StoredFile<UnfinishedDownload> { StoredFile(file("unfinished", bundle)) }
    func remembered(_ bundle: String) -> StoredFile<RememberedVersion> { StoredFile(file("remembered", bundle)) }

    /// The records of all installed versions that can be read, by bundle.
    func readableRecords() -> [String: BundleRecord] {
        let records: [BundleRecord] = readable("bundles")
        return Dictionary(records.map { ($0.bundle, $0) }) { first, _ in first }
    }

    /// The records of all installed versions.
    ///
    /// - Throws: if one cannot be read: its version is not known then, and not unneeded.
    func records() throws -> [BundleRecord] { try all("bundles") }

    /// - Throws: as ``records()``.
    func unfinishedDownloads() throws -> [UnfinishedDownload] { try all("unfinished") }

    /// Those whose records can be read.
    func readableUnfinished() -> [UnfinishedDownload] { readable("unfinished") }

    private func all<Record: Codable & Sendable>(_ name: String) throws -> [Record] {
        try jsonFiles(name).compactMap { try StoredFile<Record>($0).load() }
    }

    private func readable<Record: Codable & Sendable>(_ name: String) -> [Record] {
        jsonFiles(name).compactMap { StoredFile<Record>($0).loadIfReadable() }
    }

    /// The progress of a download that nobody goes on with. What a patch made counts as nothing, until it goes on.
    func progress(of download: UnfinishedDownload) -> DownloadProgress {
        var progress = DownloadProgress(bundle: download.bundle)
        progress.version = download.version
        progress.phase = .paused
        for (hash, size) in download.fetched ?? [:] {
            progress.total += size
            let here = PartialFile.size(of: object(hash)) ?? PartialFile.size(of: partial(hash)) ?? 0
            progress.received += min(here, size)
        }
        return progress
    }

    /// The complete files in one of the folders, without those that ``DurableFile`` writes beside them.
    private func jsonFiles(_ name: String) -> [URL] { contents(name).filter { $0.pathExtension == "json" } }

    /// The folder of a version.
    func version(_ name: String, of bundle: String) -> URL {
        folder("versions").appendingPathComponent(Self.fileName(of: bundle)).appendingPathComponent(name)
    }

    /// The folders of all versions of all bundles.
    func versions() -> [URL] { contents("versions").flatMap { contents(of: $0) } }

    /// The files in one of the folders.
    func contents(_ name: String) -> [URL] { contents(of: folder(name)) }

    private func contents(of folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0) }
    }

    private func folder(_ name: String) -> URL { root.appendingPathComponent(name, isDirectory: true) }

    private func file(_ folder: String, _ bundle: String) -> URL {
        self.folder(folder).appendingPathComponent(Self.fileName(of: bundle) + ".json")
    }

    /// The bundle's name, if every file system accepts it and distinguishes it from others; otherwise its hash.
    private static func fileName(of bundle: String) -> String {
        let isPlain = bundle.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && (1...100).contains(bundle.utf8.count) ? bundle : "." + ContentHash(of: Data(bundle.utf8)).text
    }
}

/// An installed version, in `bundles/<bundle>.json`. Replacing that file is the switch from one version to the next.
struct BundleRecord: Sendable, Codable {
    /// A delivery to be confirmed to the server.
    struct Confirmation: Sendable, Codable, Hashable {
        let delivery: String
        /// The SHA-256 of the manifest's payload.
        let sha256: ContentHash
    }

    let bundle: String
    let version: String
    /// The name of the folder with its files, among those of the bundle.
    let folder: String
    let files: [SignedManifest.File]
    /// The SHA-256 of the manifest's payload.
    let manifest: ContentHash
    /// The entity tag for asking whether there is something new.
    var entityTag: String?
    /// The deliveries to be confirmed. Stored with the version, so that one write installs it and queues its
    /// confirmation.
    var unconfirmed: [Confirmation]
    /// The last delivery that was confirmed, or is to be.
    var delivery: String?
}

/// A download that is to go on when the app starts again, and the content that it needs, which stays until then.
struct UnfinishedDownload: Sendable, Codable {
    let bundle: String
    /// Empty until the manifest is known.
    var content: Set<ContentHash> = []
    var at: Date
    /// The SHA-256 of the manifest's payload.
    var manifest: ContentHash?
    var version: String?
    /// The bytes of each file or patch that this version needed when its download began.
    var fetched: [ContentHash: Int]?
    var network: DownloadNetwork?
    /// Whether it waits for the player, or for another answer of the server.
    var isPaused: Bool?

    init(bundle: String, at: Date) {
        self.bundle = bundle
        self.at = at
    }
}
