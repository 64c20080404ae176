import ObjectStore

/// The objects that the bundles' files of a bucket refer to.
struct NamedObjects {
    /// The sizes of files in bytes, by their keys.
    private(set) var sizes: [String: Int] = [:]
    /// The keys of manifests.
    private(set) var manifests: Set<String> = []

    /// - Throws: ``ContentError`` for the first that cannot be read; ``/ObjectStore/ObjectStoreError``.
    init(in store: RepositoryBucket) async throws {
        let bundles = try await store.client.list(RepositoryBucket.bundles, upTo: FolderListing.maximumEntries)
        let files = try await bundles.concurrentMap { try await store.file(at: $0.key)?.file }.compactMap(\.self)
        let entries = files.flatMap { file in file.versions.map { (file.bundle, $0) } }
        manifests = Set(entries.map { RepositoryBucket.manifest($1.manifest) })
        let read = try await entries.concurrentMap { bundle, entry in try await store.manifest(of: entry, in: bundle) }
        for file in read.flatMap(\.files) { sizes[RepositoryBucket.object(file.sha256)] = file.size }
    }
}
