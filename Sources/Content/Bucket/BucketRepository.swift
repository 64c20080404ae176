package import Foundation
package import InAppPurchase
package import ObjectStore

/// The content repository in a bucket of an object store, which sends the bytes itself. The server keeps the versions
/// in memory and makes no request to answer a query.
package final class BucketRepository: ContentRepository {
    /// How long a presigned URL is valid, in seconds: long enough for a client to follow a redirect, short enough that
    /// a leaked link is soon worthless. A download that has begun continues.
    package static let linkLifetime = 5 * 60

    private let store: RepositoryBucket
    private let clock: @Sendable () -> Date
    private let holder: CurrentContentScan<BucketScan>

    /// Reads all bundles' files and manifests.
    ///
    /// - Parameter clock: gives the true time, which presigned URLs are signed with.
    /// - Throws: ``ContentRefusal``, with each error.
    package init(_ client: ObjectClient, clock: @escaping @Sendable () -> Date) async throws(ContentRefusal) {
        let store = RepositoryBucket(client: client)
        let scan = await BucketScan(of: store, after: BucketScan())
        guard scan.problems.isEmpty else { throw ContentRefusal(scan.problems) }
        self.store = store
        self.clock = clock
        holder = CurrentContentScan(scan) { earlier, _ in await BucketScan(of: store, after: earlier) }
    }

    /// Scans for changes and serves them: one listing if nothing changed.
    package func refresh(at date: Date) async -> ContentChanges { await holder.refresh(at: date) }

    package func reload(at date: Date) async throws -> ContentChanges { try await holder.reload(at: date) }

    /// Longer than for a folder: each scan makes a request that costs something.
    package var refreshInterval: Duration { .seconds(5) }

    package var problems: [ContentError] { holder.scan.problems }

    package var revision: Int { holder.revision }

    /// 0: there are no variants.
    package var variantsRevision: Int { 0 }

    package func bundles() -> [BundleName] { index.versions.keys.sorted() }

    package func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? {
        index.manifest(of: bundle, version: version)
    }

    package func records(of bundle: BundleName) -> [VersionRecord] { index.records(of: bundle) }

    package func size(ofNamed sha256: String) -> Int? { index.size(ofNamed: sha256) }

    /// Presigned URLs for the object, signed now.
    package func location(of sha256: String) -> ContentLocation? {
        guard index.size(ofPublished: sha256) != nil else { return nil }
        let (key, date) = (RepositoryBucket.object(sha256), clock())
        func link(_ method: String) -> String {
            store.client.link(to: key, method: method, lifetime: Self.linkLifetime, at: date)
        }
        return .url(get: link("GET"), head: link("HEAD"))
    }

    /// Empty: files of a bucket are sent as they are.
    package func variants(of sha256: String) -> [ContentVariant] { [] }

    private var index: ContentIndex { holder.scan.index }
}
