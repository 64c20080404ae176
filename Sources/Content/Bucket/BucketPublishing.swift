import Foundation
import InAppPurchase
import ObjectStore
import Synchronization
import SystemPackage

/// Publishes into a bucket.
///
/// Concurrency control is optimistic: two publishers of the same bundle both write, and the second finds the bundle's
/// file changed since it was read and is refused.
struct BucketPublishing: PublishingRepository {
    let store: RepositoryBucket
    /// Makes a unique name.
    let name: @Sendable () -> String

    private var client: ObjectClient { store.client }

    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value {
        if let version { try await require(version, of: bundle) }
        return try await BucketLease.publishing.whileHeld(in: store, as: name()) { deadline in
            let found = try await store.file(at: RepositoryBucket.bundle(bundle))
            try refuseTwin(found?.file, of: bundle)
            let records = try await (found?.file.versions ?? []).concurrentMap { entry in
                entry.record(try await store.manifest(of: entry, in: bundle))
            }
            let read = ReadBundle(
                file: found?.file ?? BundleFile(bundle: bundle), etag: found?.etag, deadline: deadline)
            return try await body(KnownVersions(of: bundle, records: records, read: read))
        }
    }

    private func require(_ version: SemanticVersion, of bundle: BundleName) async throws {
        let file = try await store.file(at: RepositoryBucket.bundle(bundle))?.file
        guard let file, file.bundle == bundle, file.versions.contains(where: { $0.version == version }) else {
            throw PublishRefusal.unknownVersion
        }
    }

    private func refuseTwin(_ file: BundleFile?, of bundle: BundleName) throws(PublishRefusal) {
        guard let other = file?.bundle.text, !other.utf8.elementsEqual(bundle.text.utf8) else { return }
        throw .bundleName(.sameNameAs(other))
    }

    func missing(from manifest: Manifest) async throws -> [String] {
        let lacking = Set(try await states(of: manifest.files).filter { $1 != .whole }.map(\.file.sha256))
        var seen: Set<String> = []
        return manifest.files.map(\.sha256).filter { lacking.contains($0) && seen.insert($0).inserted }
    }

    private enum ObjectState { case whole, absent, otherSize }

    /// The state of each file's object, each once.
    private func states(of files: [Manifest.File]) async throws -> [(file: Manifest.File, state: ObjectState)] {
        let unique = Dictionary(files.map { ($0.sha256, $0) }) { first, _ in first }
        return try await unique.values.concurrentMap { file in
            let size = try await client.size(of: RepositoryBucket.object(file.sha256))
            let state: ObjectState = size == nil ? .absent : size == file.size ? .whole : .otherSize
            return (file: file, state: state)
        }
    }

    func add(
        _ source: SourceFolder, _ manifest: Manifest, progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws {
        let locations = Dictionary(source.files.map { ($0.sha256, $0.location.string) }) { first, _ in first }
        let lacking = try await states(of: manifest.files).filter { $0.state != .whole }
        let total = lacking.reduce(0) { $0.saturatingAdding($1.file.size) }
        let done = Mutex(PublishingProgress(.writing, total: total))
        _ = try await lacking.concurrentMap { file, state in
            guard let path = locations[file.sha256] else { throw PublishRefusal.missing([file.sha256]) }
            let body = ObjectBody.file(path, size: file.size, sha256: file.sha256) { count in
                // Bytes that are sent a second time do not exceed the total.
                progress(done.withLock { $0.adding(min(count, total - $0.done)) })
            }
            let key = RepositoryBucket.object(file.sha256)
            switch state {
            case .otherSize: try await client.put(body, at: key, .always, headers: RepositoryBucket.objectHeaders)
            case .absent, .whole: try await client.putOnce(body, at: key, headers: RepositoryBucket.objectHeaders)
            }
        }
    }

    /// Does nothing: what the object store has confirmed is durable.
    func sync(_ manifest: Manifest) {}

    /// Makes no variants: files of a bucket are sent as they are.
    func prepare(
        _ manifest: Manifest, among known: KnownVersions, _ extent: PatchExtent,
        progress: @escaping @Sendable (PublishingProgress) -> Void
    ) -> [ContentError] { [] }

    func programs(in manifest: Manifest) -> [String] { ProgramFile.paths(among: manifest.files) { _ in nil } }

    func write(_ record: VersionRecord, among known: KnownVersions) async throws {
        let manifest = try await store.write(record.manifest)
        try await replace(known) { $0.set(BundleFile.Entry(record, manifest: manifest)) }
    }

    func remove(_ record: VersionRecord, among known: KnownVersions) async throws {
        try await replace(known) { $0.remove(record.manifest.version) }
    }

    private func replace(_ known: KnownVersions, _ edit: (inout BundleFile) -> Void) async throws {
        guard let read = known.read, ContinuousClock.now < read.deadline else { throw PublishRefusal.busy }
        var file = read.file
        edit(&file)
        let (key, bytes) = (RepositoryBucket.bundle(file.bundle), try RepositoryBucket.encode(file))
        guard bytes.count <= BundleFile.maximumBytes else {
            throw ContentError(store.place(key), .tooLarge(limit: BundleFile.maximumBytes))
        }
        do {
            try await client.put(
                .bytes(bytes), at: key, read.etag.map(ObjectCondition.unchanged) ?? .absent,
                headers: [("content-type", "application/json")])
        } catch let error as ObjectStoreError {
            // The response to an earlier attempt may have been lost.
            guard try await client.get(key, upTo: BundleFile.maximumBytes)?.bytes != bytes else { return }
            throw error
        }
    }
}
