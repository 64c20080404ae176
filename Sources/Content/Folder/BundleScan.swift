import InAppPurchase
import SystemPackage

/// One scan of a bundle's versions. A version that has a problem stays as the previous scan found it.
struct BundleScan {
    private(set) var versions: [PublishedVersion] = []
    private(set) var problems: [ContentError] = []

    private let bundle: BundleName
    /// The versions that the previous scan found, by folder name.
    private let earlier: [String: PublishedVersion]

    /// - Throws: ``ContentError`` if the bundle's folder cannot be listed at all.
    init(of folder: FolderListing.Entry, earlier: [PublishedVersion], hashes: inout HashCache) throws(ContentError) {
        bundle = BundleName(stored: folder.name)
        self.earlier = Dictionary(
            earlier.map { ($0.manifest.version.description, $0) }, uniquingKeysWith: { first, _ in first })
        guard folder.status.type == .directory else { throw ContentError(folder.path.string, .notAFolder) }
        let listing = try FolderListing(of: folder.path)
        for (name, problem) in listing.problems { addEarlier(name, because: problem) }
        let names = Dictionary(grouping: listing.entries.map(\.name)) { SemanticVersion($0) }
        for entry in listing.entries {
            do throws(ContentError) { versions.append(try read(entry, names: names, hashes: &hashes)) } catch {
                addEarlier(entry.name, because: error)
            }
        }
    }

    private mutating func addEarlier(_ name: String, because problem: ContentError) {
        problems.append(problem)
        if let version = earlier[name] { versions.append(version) }
    }

    private func read(
        _ folder: FolderListing.Entry, names: [SemanticVersion?: [String]], hashes: inout HashCache
    ) throws(ContentError) -> PublishedVersion {
        let path = folder.path.string
        guard folder.status.type == .directory else { throw ContentError(path, .notAFolder) }
        guard let version = SemanticVersion(folder.name) else { throw ContentError(path, .notASemanticVersion) }
        if let twin = names[version]?.first(where: { $0 != folder.name }) {
            throw ContentError(path, .sameVersionAs(twin))
        }
        var files: [IndexedFile] = []
        for (path, location, stamp) in try VersionScan(of: folder.path).files {
            let sha256 = try hashes.sha256(of: location, stamp: stamp)
            files.append(IndexedFile(path: path, location: location, stamp: stamp, sha256: sha256))
        }
        return PublishedVersion(bundle: bundle, version: version, files: files)
    }
}
