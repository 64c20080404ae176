import Foundation
import InAppPurchase
import ObjectStore

/// The objects of a bucket that may be removed, while publishing is locked out.
struct BucketSweep {
    private let objects: [ListedObject]
    private let leftovers: [ListedObject]

    /// - Throws: ``ContentError`` if it cannot be determined which objects are needed; ``ObjectStoreError``.
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
