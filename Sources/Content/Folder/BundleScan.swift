import Foundation
import InAppPurchase
import SystemPackage

/// One scan of a bundle's versions. A version that has a problem stays as the previous scan found it, and so does one
/// whose files were changed after it was published.
struct BundleScan {
    private(set) var versions: [PublishedVersion] = []
    private(set) var problems: [ContentError] = []

    private let bundle: BundleName
    /// The versions that the previous scan found, by folder name.
    private let earlier: [String: PublishedVersion]

    /// - Throws: ``ContentError`` if the bundle's folder cannot be listed at all.
    init(
        of folder: FolderListing.Entry, earlier: [PublishedVersion], hashes: inout HashCache, at date: Date
    ) throws(ContentError) {
        bundle = BundleName(stored: folder.name)
        self.earlier = Dictionary(
            earlier.map { ($0.manifest.version.description, $0) }, uniquingKeysWith: { first, _ in first })
        guard folder.status.type == .directory else { throw ContentError(folder.path.string, .notAFolder) }
        let listing = try FolderListing(of: folder.path)
        for (name, problem) in listing.problems { addEarlier(name, because: problem) }
        let names = Dictionary(grouping: listing.entries.map(\.name)) { SemanticVersion($0) }
        for entry in listing.entries {
            do throws(ContentError) {
                let found = try read(entry, names: names, hashes: &hashes)
                let version = asPublished(found, in: entry.path, at: date)
                versions.append(version)
            } catch {
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
        let scan = try VersionScan(of: folder.path)
        for (path, location, stamp) in scan.files {
            let sha256 = try hashes.sha256(of: location, stamp: stamp)
            files.append(IndexedFile(path: path, location: location, stamp: stamp, sha256: sha256))
        }
        return PublishedVersion(bundle: bundle, version: version, files: files, lastWritten: scan.lastWritten)
    }

    /// The version as it was published, with those of its files that are still what they were; the others are problems.
    /// One that may still have been copied then is published as it is now.
    private mutating func asPublished(
        _ found: PublishedVersion, in folder: FilePath, at date: Date
    ) -> PublishedVersion {
        guard var version = earlier[found.manifest.version.description],
            date.timeIntervalSince(version.lastWritten) > FolderScan.copyingTime
        else { return found }
        let (before, now) = (version.manifest.hashesByPath, found.manifest.hashesByPath)
        for path in Set(before.keys).union(now.keys).sorted() where before[path] != now[path] {
            problems.append(ContentError(folder.appending(path).string, .changed(from: before[path], to: now[path])))
        }
        version.files = found.files.filter { before[$0.path] == $0.sha256 }
        return version
    }
}

extension Manifest {
    fileprivate var hashesByPath: [String: String] {
        Dictionary(files.map { ($0.path, $0.sha256) }) { first, _ in first }
    }
}

extension ContentError.Reason {
    /// The change of a file from one hash to another; `nil` is no file.
    fileprivate static func changed(from before: String?, to now: String?) -> Self {
        before == nil ? .addedSincePublished : now == nil ? .removedSincePublished : .changedSincePublished
    }
}
