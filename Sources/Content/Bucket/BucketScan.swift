import Foundation
import InAppPurchase
import ObjectStore

/// The result of one scan of a bucket: its bundles' files, and the manifests that they name. Whatever has a problem
/// stays as the previous scan found it; only what changed is read. Objects are not checked: they are all in the bucket
/// before a version is recorded.
struct BucketScan: ContentScan {
    private struct Read: Sendable {
        var etag: String
        var file: BundleFile
    }

    private(set) var index = ContentIndex()
    private(set) var problems: [ContentError] = []
    private(set) var readFiles = 0
    /// The bundles' files by their keys.
    private var files: [String: Read] = [:]
    /// The manifests by their hashes.
    private var manifests: [String: Manifest] = [:]

    /// An empty scan.
    init() {}

    init(of store: RepositoryBucket, after earlier: BucketScan) async {
        index = earlier.index
        do {
            let bundles = try await store.client.list(RepositoryBucket.bundles, upTo: FolderListing.maximumEntries)
            try await readFiles(bundles, store, earlier)
            try await readManifests(store, earlier)
            index = ContentIndex(
                records { $0 != .draft }.mapValues { $0.map { PublishedVersion($0, files: []) } },
                drafts: records { $0 == .draft })
        } catch {
            self = earlier
            problems = [ContentError(store.client.bucket.description, .unreadable("\(error)"))]
        }
        problems = Array(problems.prefix(FolderScan.maximumProblems))
    }

    private mutating func readFiles(
        _ bundles: [ListedObject], _ store: RepositoryBucket, _ earlier: BucketScan
    ) async throws {
        var changed: [String] = []
        for bundle in bundles {
            if let known = earlier.files[bundle.key], known.etag == bundle.etag {
                files[bundle.key] = known
            } else {
                changed.append(bundle.key)
            }
        }
        let read = try await changed.concurrentMap { key in try await Attempt(key) { try await store.file(at: key) } }
        for attempt in read {
            switch attempt.result {
            case .success(let found): files[attempt.name] = found.map { Read(etag: $0.etag, file: $0.file) }
            case .failure(let problem):
                problems.append(problem)
                files[attempt.name] = earlier.files[attempt.name]
            }
        }
        readFiles = changed.count
    }

    private mutating func readManifests(_ store: RepositoryBucket, _ earlier: BucketScan) async throws {
        var lacking: [String: (BundleName, BundleFile.Entry)] = [:]
        for file in files.values.map(\.file) {
            for entry in file.versions {
                if let known = earlier.manifests[entry.manifest] {
                    manifests[entry.manifest] = known
                } else {
                    lacking[entry.manifest] = (file.bundle, entry)
                }
            }
        }
        let read = try await lacking.values.concurrentMap { bundle, entry in
            try await Attempt(entry.manifest) { try await store.manifest(of: entry, in: bundle) }
        }
        for attempt in read {
            switch attempt.result {
            case .success(let manifest): manifests[attempt.name] = manifest
            case .failure(let problem): problems.append(problem)
            }
        }
        problems.sort { $0.path < $1.path }
        readFiles += lacking.count
    }

    /// `true`: there are none.
    func hasSameVariants(as other: BucketScan) -> Bool { true }

    private func records(where isTaken: (PublicationState) -> Bool) -> [BundleName: [VersionRecord]] {
        files.values.reduce(into: [:]) { records, read in
            let recorded = read.file.versions.filter { isTaken($0.state) }.compactMap { entry in
                manifests[entry.manifest].map(entry.record)
            }
            if !recorded.isEmpty { records[read.file.bundle] = recorded }
        }
    }
}

/// The result of reading one object; an object store that does not answer is not a problem of the object.
private struct Attempt<Value: Sendable>: Sendable {
    let name: String
    let result: Result<Value, ContentError>

    init(_ name: String, _ read: () async throws -> Value) async throws {
        self.name = name
        do {
            result = .success(try await read())
        } catch let problem as ContentError {
            result = .failure(problem)
        } catch ObjectStoreError.tooLarge(let limit) {
            result = .failure(ContentError(name, .tooLarge(limit: limit)))
        }
    }
}
