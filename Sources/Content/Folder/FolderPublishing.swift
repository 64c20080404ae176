import Dispatch
import Foundation
import InAppPurchase
import SystemPackage

/// Publishes into the content repository of a content folder.
///
/// One publisher at a time changes a bundle, in all processes of the machine; others wait for a few seconds and are
/// then refused.
struct FolderPublishing: PublishingRepository {
    let store: RepositoryFolder
    /// Runs blocking disk access, serially.
    let queue: DispatchQueue

    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value {
        if let version { try await require(version, of: bundle) }
        try await makeFolder(for: bundle)
        return try await FolderLock.whileHeld(on: store.records(of: bundle)) {
            try await FolderLock.whileHeld(on: store.objects, .shared) {
                try await body(try await queue.result { try KnownVersions(of: bundle, in: store) })
            }
        }
    }

    private func require(_ version: SemanticVersion, of bundle: BundleName) async throws {
        try await queue.result {
            let folders = [store.records(of: bundle), store.content.appending(bundle.text)]
            let names = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0.string)) ?? [] }
            let versions = names.map { SemanticVersion($0.replacing(RepositoryFolder.recordSuffix, with: "")) }
            guard versions.contains(version) else { throw PublishRefusal.unknownVersion }
        }
    }

    /// Creates the bundle's folder, unless its name differs from another one only by case, which would spoil both.
    private func makeFolder(for bundle: BundleName) async throws {
        try await queue.result { try store.prepare() }
        try await FolderLock.whileHeld(on: store.bundles) {
            try await queue.result {
                for parent in [store.content, store.bundles] { try KnownVersions.refuseTwins(of: bundle, in: parent) }
                try store.records(of: bundle).createFolder()
            }
        }
    }

    func missing(from manifest: Manifest) async throws -> [String] {
        try await queue.result { ObjectFolder(store: store).missing(from: manifest) }
    }

    func add(
        _ source: SourceFolder, _ manifest: Manifest, progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws {
        try await queue.result {
            let objects = ObjectFolder(store: store)
            var missing = Set(objects.missing(from: manifest))
            let lacking = source.files.filter { missing.remove($0.sha256) != nil }
            var done = PublishingProgress(.writing, total: lacking.reduce(0) { $0 + $1.stamp.size })
            for file in lacking { try objects.add(file) { progress(done.adding($0)) } }
            try objects.sync(manifest.files.map(\.sha256))
        }
    }

    /// Syncs all of them: some may come from a publisher that was killed before it synced.
    func sync(_ manifest: Manifest) async throws {
        try await queue.result { try ObjectFolder(store: store).sync(manifest.files.map(\.sha256)) }
    }

    func prepare(
        _ manifest: Manifest, among known: KnownVersions, _ extent: PatchExtent,
        progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws -> [ContentError] {
        try await queue.result {
            let earlier = try known.versions(before: manifest.version, count: extent.versions)
            let byHand = earlier.flatMap(\.files).map { ($0.sha256, $0.location) }
            let elsewhere = Dictionary(byHand) { first, _ in first }
            var done = PublishingProgress(.compressing, total: manifest.bytes)
            var preparation = ContentPreparation(in: store) { sha256 in
                let object = store.object(sha256)
                return FileStamp(ofFileAt: object) != nil ? object : elsewhere[sha256]
            }
            try preparation.prepare(manifest, among: earlier.map(\.manifest), extent) { progress(done.adding($0)) }
            return preparation.summary.problems
        }
    }

    func programs(in manifest: Manifest) async throws -> [String] {
        try await queue.result {
            let folder = store.content.appending(manifest.bundle.text).appending(manifest.version.description)
            return ProgramFile.paths(among: manifest.files) { file in
                let object = store.object(file.sha256)
                return FileStamp(ofFileAt: object) != nil ? object : folder.appending(file.path)
            }
        }
    }

    func requireReadable(_ manifest: Manifest) async throws {
        try await queue.result {
            let hashes = Set(manifest.files.map(\.sha256))
            let folders = [store.objects, store.bundles, store.records(of: manifest.bundle)]
            let record = store.record(of: manifest.version, in: manifest.bundle)
            let paths = [store.objects.removingLastComponent()] + folders + Set(hashes.map(store.shelf)) + [record]
            try OwnersAccess(to: store).require(paths + hashes.map(store.object))
        }
    }

    func write(_ record: VersionRecord, among known: KnownVersions) async throws {
        try await queue.result { try store.write(record) }
    }

    func remove(_ record: VersionRecord, among known: KnownVersions) async throws {
        let manifest = record.manifest
        try await queue.result { try store.removeRecord(of: manifest.version, in: manifest.bundle) }
    }
}

/// The access of the owner of a content folder, as whom servers run: they do not start while there is something that
/// they cannot read.
private struct OwnersAccess {
    private let content: FilePath
    private let owner: Stat

    init(to store: RepositoryFolder) throws(Errno) {
        content = store.content
        owner = try content.stat()
    }

    /// - Throws: ``PublishRefusal/unreadable(path:content:)`` for the first file or folder that is there and that the
    ///   owner cannot read.
    func require(_ paths: some Sequence<FilePath>) throws {
        for path in paths {
            guard let status = try? path.stat() else { continue }
            guard mayRead(status) else {
                throw PublishRefusal.unreadable(path: path.string, content: content.string)
            }
        }
    }

    private func mayRead(_ status: Stat) -> Bool {
        let needed: FilePermissions =
            status.userID == owner.userID
            ? .ownerReadExecute
            : status.groupID == owner.groupID
                ? .groupReadExecute : .otherReadExecute
        let permissions = status.permissions.union(status.type == .directory ? [] : .execute)
        return owner.userID.rawValue == 0 || permissions.isSuperset(of: needed)
    }
}

extension FilePermissions {
    fileprivate static let execute: FilePermissions = [.ownerExecute, .groupExecute, .otherExecute]
}
