import Foundation
import InAppPurchase
import SystemPackage

/// The versions in the content repository. Whatever has a problem stays as the previous scan found it.
struct RepositoryScan: Sendable {
    private struct Read: Sendable {
        let record: VersionRecord
        let stamp: FileStamp
        let isSettled: Bool
    }

    private(set) var versions: [BundleName: [PublishedVersion]] = [:]
    private(set) var drafts: [BundleName: [VersionRecord]] = [:]
    private(set) var problems: [ContentError] = []
    /// The records by their files, so that only changed ones are read again.
    private var records: [FilePath: Read] = [:]
    /// Whether all records stay as they were read for as long as their stamps stay the same.
    var isSettled: Bool { records.values.allSatisfy(\.isSettled) }
    private var read: [FilePath: PublishedVersion] = [:]

    /// An empty scan.
    init() {}

    /// Scans the repository; blocks for as long as the disk takes. Empty if the repository does not exist.
    init(of store: RepositoryFolder, after earlier: RepositoryScan, hashes: inout HashCache, at date: Date) {
        guard (try? store.bundles.stat()) != nil else { return }
        do throws(ContentError) {
            let listing = try FolderListing(of: store.bundles)
            problems += listing.problems.map(\.problem)
            for folder in listing.entries {
                for entry in try FolderListing(of: folder.path).entries {
                    read(entry, of: BundleName(stored: folder.name), store, after: earlier, hashes: &hashes, at: date)
                }
            }
        } catch {
            self = earlier
            problems = [error]
        }
    }

    private mutating func read(
        _ entry: FolderListing.Entry, of bundle: BundleName, _ store: RepositoryFolder, after earlier: RepositoryScan,
        hashes: inout HashCache, at date: Date
    ) {
        do throws(ContentError) {
            let record = try record(entry, after: earlier, at: date)
            guard record.state != .draft else { return drafts[bundle, default: []].append(record) }
            let files = try files(of: record, in: store, hashes: &hashes)
            add(PublishedVersion(record, files: files), at: entry.path, to: bundle)
        } catch {
            problems.append(error)
            if let version = earlier.read[entry.path] { add(version, at: entry.path, to: bundle) }
        }
    }

    private mutating func add(_ version: PublishedVersion, at path: FilePath, to bundle: BundleName) {
        read[path] = version
        versions[bundle, default: []].append(version)
    }

    private mutating func record(
        _ entry: FolderListing.Entry, after earlier: RepositoryScan, at date: Date
    ) throws(ContentError) -> VersionRecord {
        let stamp = FileStamp(entry.status)
        let record: VersionRecord
        if let known = earlier.records[entry.path], known.stamp == stamp, known.isSettled {
            record = known.record
        } else {
            record = try RecordFile.read(entry)
        }
        records[entry.path] = Read(record: record, stamp: stamp, isSettled: stamp.isSettled(at: date))
        return record
    }

    private func files(
        of record: VersionRecord, in store: RepositoryFolder, hashes: inout HashCache
    ) throws(ContentError) -> [IndexedFile] {
        var files: [IndexedFile] = []
        for file in record.manifest.files {
            let path = store.object(file.sha256)
            guard let stamp = FileStamp(ofFileAt: path), stamp.size == file.size else {
                throw ContentError(path.string, .missingObject)
            }
            guard try hashes.isUntouched(path, stamp: stamp, sha256: file.sha256) else {
                throw ContentError(path.string, .otherBytes)
            }
            files.append(IndexedFile(path: file.path, location: path, stamp: stamp, sha256: file.sha256))
        }
        return files
    }
}
