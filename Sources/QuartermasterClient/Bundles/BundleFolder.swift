import Foundation

/// The folder on disk: complete files by their hash in `objects`, others in `partial`, versions made of hard links in
/// `versions`, and what is installed in `bundles`.
struct BundleFolder: Sendable {
    let root: URL
    /// Held while the needs of a download are recorded, and while unneeded files are removed.
    let needs = NSLock()

    init(root: URL) { self.root = root }

    /// Makes the folder. It is not part of backups, since all of it can be downloaded again.
    func prepare() throws {
        for name in ["objects", "partial", "versions", "bundles", "unfinished", "remembered"] {
            try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
        }
        #if canImport(Darwin)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var url = root
            try url.setResourceValues(values)
        #endif
        #if os(iOS) || os(tvOS) || os(visionOS)
            // Purchases and downloads may go on while the device is locked.
            for url in [root] + contents("") {
                try FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: url.path)
            }
        #endif
    }

    var keys: URL { root.appendingPathComponent("keys.json") }
    /// Confirmations of bundles that are no longer installed.
    var outbox: StoredFile<[BundleRecord.Confirmation]> { StoredFile(root.appendingPathComponent("outbox.json")) }

    func object(_ hash: ContentHash) -> URL { folder("objects").appendingPathComponent(hash.text) }
    func partial(_ hash: ContentHash) -> URL { folder("partial").appendingPathComponent(hash.text) }
    /// The file that a patch writes.
    func patched(_ hash: ContentHash) -> URL { folder("partial").appendingPathComponent(hash.text + ".patched") }

    func record(_ bundle: String) -> StoredFile<BundleRecord> { StoredFile(file("bundles", bundle)) }
    func unfinished(_ bundle: String) -> StoredFile<UnfinishedDownload> { StoredFile(file("unfinished", bundle)) }
    func remembered(_ bundle: String) -> StoredFile<RememberedVersion> { StoredFile(file("remembered", bundle)) }

    /// The records of all installed versions.
    func records() -> [BundleRecord] { contents("bundles").compactMap { StoredFile<BundleRecord>($0).load() } }

    func unfinishedDownloads() -> [UnfinishedDownload] {
        contents("unfinished").compactMap { StoredFile<UnfinishedDownload>($0).load() }
    }

    /// The folder of a version.
    func version(_ name: String, of bundle: String) -> URL {
        folder("versions").appendingPathComponent(Self.fileName(of: bundle)).appendingPathComponent(name)
    }

    /// The folders of all versions of all bundles.
    func versions() -> [URL] { contents("versions").flatMap { contents(of: $0) } }

    /// The files in one of the folders.
    func contents(_ name: String) -> [URL] { contents(of: name.isEmpty ? root : folder(name)) }

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

/// The content that an unfinished download needs. It is not removed when the app starts again.
struct UnfinishedDownload: Sendable, Codable {
    let bundle: String
    let content: Set<ContentHash>
    let at: Date
}
