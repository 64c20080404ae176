import InAppPurchase
import SystemPackage

/// All existing versions of one bundle, in the content repository and in folders made by hand, when a change begins.
struct KnownVersions {
    let records: [VersionRecord]
    /// The folders made by hand.
    private let folders: [(version: SemanticVersion, path: FilePath)]
    private let bundle: BundleName
    /// The bundle as it was read from the bucket; `nil` for a folder.
    let read: ReadBundle?

    /// The versions in a bucket, which has no folders made by hand.
    init(of bundle: BundleName, records: [VersionRecord], read: ReadBundle) {
        self.bundle = bundle
        self.records = records
        self.read = read
        folders = []
    }

    /// The versions in a content folder.
    ///
    /// - Throws: ``ContentError``
    init(of bundle: BundleName, in store: RepositoryFolder) throws(ContentError) {
        self.bundle = bundle
        read = nil
        records = try RecordFile.all(in: store.records(of: bundle))
        folders =
            try Self.folder(bundle.text, in: store.content).map { listing in
                listing.entries.compactMap { entry in SemanticVersion(entry.name).map { ($0, entry.path) } }
            } ?? []
    }

    func record(of version: SemanticVersion) -> VersionRecord? { records.first { $0.manifest.version == version } }

    /// The files of the folder made for this version by hand, hashed; `nil` if there is none.
    func folder(of version: SemanticVersion) throws(ContentError) -> SourceFolder? {
        guard let folder = folders.first(where: { $0.version == version }) else { return nil }
        return try SourceFolder(folder.path)
    }

    /// The earlier versions that players may have, the newest first; folders made by hand are hashed.
    ///
    /// - Parameter count: the maximum number of versions.
    func versions(before version: SemanticVersion, count: Int) throws(ContentError) -> [PublishedVersion] {
        let stored = records.filter { $0.state != .draft && $0.manifest.version < version }
        let byHand = folders.filter { folder in
            folder.version < version && !stored.contains { $0.manifest.version == folder.version }
        }
        let numbers = (stored.map(\.manifest.version) + byHand.map(\.version)).sorted { $1 < $0 }
        var versions: [PublishedVersion] = []
        for number in numbers.prefix(max(0, count)) {
            if let record = stored.first(where: { $0.manifest.version == number }) {
                versions.append(PublishedVersion(record, files: []))
            } else if let folder = try folder(of: number) {
                versions.append(PublishedVersion(bundle: bundle, version: number, files: folder.files))
            }
        }
        return versions
    }

    /// The existing version with this manifest, in any state; `nil` if there is none.
    ///
    /// - Throws: ``PublishRefusal`` if the number is taken, or too low, or the version is new and has names that new
    ///   versions may not have; ``ContentError``.
    func existingVersion(matching manifest: Manifest, isPatch: Bool) throws -> VersionRecord? {
        if let record = record(of: manifest.version) {
            // Build metadata too: 1.0.0+a and 1.0.0+b are the same version.
            guard record.manifest == manifest, record.manifest.version.description == manifest.version.description
            else { throw PublishRefusal.otherVersion(record.state) }
            return record
        }
        try ManifestCheck.checkNewNames(of: manifest, isNewBundle: records.isEmpty && folders.isEmpty)
        try checkNumber(of: manifest, isPatch: isPatch)
        return nil
    }

    /// Checks that the number may be published with these files: a folder made by hand has it with the same ones, or it
    /// may follow all the others.
    ///
    /// - Throws: ``PublishRefusal`` if it may not; ``ContentError``
    func checkNumber(of manifest: Manifest, isPatch: Bool) throws {
        if let folder = try folder(of: manifest.version) {
            guard folder.manifestFiles == manifest.files else { throw PublishRefusal.otherVersion(.published) }
            return
        }
        try refuseTwins(of: manifest.version)
        let stored = records.filter { $0.state != .draft }.map(\.manifest.version)
        let others = (stored + folders.map(\.version)).filter { $0 != manifest.version }
        try VersionOrder.check(manifest.version, after: others, isPatch: isPatch)
    }

    /// Refuses a version that differs from another only by case: 1.0.0-RC and 1.0.0-rc are two versions, and one file
    /// on many disks.
    private func refuseTwins(of version: SemanticVersion) throws(PublishRefusal) {
        let others = (records.map(\.manifest.version) + folders.map(\.version)).filter { $0 != version }
        let key = FolderListing.folded(version.description)
        if let twin = others.first(where: { FolderListing.folded($0.description) == key }) {
            throw .member("the version differs from \(twin) only by case")
        }
    }

    private static func folder(_ name: String, in parent: FilePath) throws(ContentError) -> FolderListing? {
        let path = parent.appending(name)
        guard let status = try? path.stat(followTargetSymlink: false), status.type == .directory else { return nil }
        return try FolderListing(of: path)
    }

    /// Refuses a bundle name that players' devices, and some servers' disks, do not distinguish from another.
    static func refuseTwins(of bundle: BundleName, in parent: FilePath) throws {
        let listing = try FolderListing(of: parent, passingOver: [RepositoryFolder.name])
        let key = FolderListing.folded(bundle.text)
        let twin = listing.entries.first { entry in
            FolderListing.folded(entry.name) == key && !entry.name.utf8.elementsEqual(bundle.text.utf8)
        }
        if let twin { throw PublishRefusal.bundleName(.sameNameAs(twin.name)) }
    }
}

/// Checks which version numbers may follow the existing ones.
enum VersionOrder {
    /// - Parameters:
    ///   - others: all that were ever published, in any order.
    ///   - isPatch: whether it may be below others, as the highest of those with its first two numbers.
    static func check(
        _ version: SemanticVersion, after others: [SemanticVersion], isPatch: Bool
    ) throws(PublishRefusal) {
        guard let newest = others.max(), version <= newest else { return }
        guard isPatch else { throw .notNewer(than: newest) }
        let line = others.filter { ($0.major, $0.minor) == (version.major, version.minor) }
        guard let highest = line.max(), version > highest else { throw .noPatch }
    }
}
