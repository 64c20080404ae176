import Dispatch
package import Foundation
import InAppPurchase
import ObjectStore
import SystemPackage

/// Deletes unreferenced files from a content repository (garbage collection) while servers are serving it.
package struct ContentCollector: Sendable {
    /// One day: longer than anybody needs to publish a version, or to resume an upload.
    package static let usualGrace: TimeInterval = 86_400

    /// The files that were removed, or would be in a dry run.
    package struct Findings: Hashable, Encodable, Sendable {
        /// Files that no version and no draft names.
        package var objects = 0
        /// Abandoned uploads and copies, and variant records of files that are gone.
        package var leftovers = 0
        package var bytes = 0
    }

    private let content: ContentPlace
    private let name: @Sendable () -> String

    /// - Parameter name: makes a unique name; if `nil`, a random one is used.
    package init(content: ContentPlace, name: (@Sendable () -> String)? = nil) {
        self.content = content
        self.name = name ?? { UUID().uuidString }
    }

    /// Removes files that no version and no draft names, and unfinished writes.
    ///
    /// - Parameters:
    ///   - grace: in seconds; files written less than this before `date` stay.
    ///   - isDryRun: if `true`, nothing is removed.
    /// - Throws: ``PublishRefusal``, also if a record cannot be read; then nothing is removed.
    package func collect(
        grace: TimeInterval = usualGrace, isDryRun: Bool = false, at date: Date
    ) async throws -> Findings {
        do {
            switch content {
            case .folder(let path):
                return try await collect(
                    RepositoryFolder(content: FilePath(path)), writtenBefore: date - grace, isDryRun: isDryRun)
            case .bucket(let client):
                let store = RepositoryBucket(client: client)
                return try await BucketLease.collecting.whileHeld(in: store, as: name()) { deadline in
                    let sweep = try await BucketSweep(of: store, writtenBefore: date - grace)
                    if !isDryRun { try await sweep.remove(from: store, until: deadline) }
                    return sweep.findings
                }
            }
        } catch {
            throw PublishRefusal.from(error)
        }
    }

    private func collect(
        _ store: RepositoryFolder, writtenBefore limit: Date, isDryRun: Bool
    ) async throws -> Findings {
        let queue = DispatchQueue(label: "content collector")
        guard await queue.value(of: { (try? store.objects.stat()) != nil }) else { return Findings() }
        return try await FolderLock.whileHeld(on: store.objects) {
            try await queue.result {
                let sweep = try RepositorySweep(of: store, writtenBefore: limit)
                if !isDryRun { try sweep.remove() }
                return sweep.findings
            }
        }
    }
}

/// The objects of a bucket that may be removed, while publishing is locked out.
struct BucketSweep {
    private let objects: [ListedObject]
    private let leftovers: [ListedObject]

    /// - Throws: ``ContentError`` if it cannot be determined which objects are needed;
    ///   ``/ObjectStore/ObjectStoreError``.
    init(of store: RepositoryBucket, writtenBefore limit: Date) async throws {
        let listed = try await store.client.list(RepositoryBucket.objects, upTo: RepositoryBucket.maximumObjects)
        let manifests = try await store.client.list(RepositoryBucket.manifests, upTo: RepositoryBucket.maximumObjects)
        let leases = try await store.client.list(BucketLease.prefix, upTo: BucketLease.maximumLeases)
        let named = try await NamedObjects(in: store)
        objects = listed.filter { $0.modified <= limit && named.sizes[$0.key] == nil }
        leftovers =
            manifests.filter { $0.modified <= limit && !named.manifests.contains($0.key) }
            + leases.filter { $0.modified <= limit - BucketLease.maximumTime }
    }

    var findings: ContentCollector.Findings {
        ContentCollector.Findings(
            objects: objects.count, leftovers: leftovers.count,
            bytes: (objects + leftovers).reduce(0) { $0.saturatingAdding($1.size) })
    }

    /// - Throws: ``PublishRefusal/busy`` if the deadline has passed; the next call continues.
    func remove(from store: RepositoryBucket, until deadline: ContinuousClock.Instant) async throws {
        _ = try await (objects + leftovers).concurrentMap { object in
            guard ContinuousClock.now < deadline else { throw PublishRefusal.busy }
            try await store.client.delete(object.key)
        }
    }
}
