import Dispatch
package import Foundation
import SystemPackage

/// An inspection of a content folder or a bucket without serving it: what a server that starts now would publish and
/// what it would refuse. Writes nothing, and may run beside a server.
package struct ContentInspection: Sendable {
    /// The readable manifests, by bundle and then by version, the lowest first.
    package let manifests: [Manifest]
    /// The problems found; a server does not start while there is any.
    package let problems: [ContentError]

    /// The files of folders made by hand whose names a published version could not have. They are served.
    package let warnings: [ContentError]

    /// All versions in any state, including drafts, by bundle and then by version.
    package let records: [VersionRecord]

    private let differences: @Sendable () async throws -> [ContentError]

    /// Reads everything in the folder or the bucket, as a server does when it starts.
    ///
    /// - Parameters:
    ///   - published: what servers published from folders made by hand.
    ///   - date: now.
    package init(of content: ContentPlace, published: [Manifest] = [], at date: Date) async {
        switch content {
        case .folder(let path): await self.init(ofFolder: path, published: published, at: date)
        case .bucket(let client):
            let store = RepositoryBucket(client: client)
            self.init(await BucketScan(of: store, after: BucketScan())) { try await store.differences() }
        }
    }

    private init(ofFolder path: String, published: [Manifest], at date: Date) async {
        let queue = DispatchQueue(label: "content inspection")
        let scan = await queue.value {
            FolderScan(of: FilePath(path), after: FolderScan(at: date, published: published), at: date)
        }
        let store = RepositoryFolder(content: FilePath(path))
        let files = scan.index.versions.values.joined().flatMap(\.files)
        let byHand = files.filter { !$0.location.starts(with: store.objects) }
        let warnings = byHand.compactMap { file in
            ManifestCheck.refusal(ofNewPath: file.path).map { ContentError(file.location.string, $0) }
        }
        self.init(scan, warnings: warnings.sorted { $0.path < $1.path }) {
            await queue.value { byHand.compactMap(\.difference) + ObjectFolder(store: store).differences() }
        }
    }

    private init(
        _ scan: some ContentScan, warnings: [ContentError] = [],
        differences: @escaping @Sendable () async throws -> [ContentError]
    ) {
        let bundles = Set(scan.index.versions.keys).union(scan.index.drafts.keys).sorted()
        records = bundles.flatMap(scan.index.records)
        manifests = records.filter { $0.state != .draft }.map(\.manifest)
        problems = scan.problems
        self.warnings = warnings
        self.differences = differences
    }

    /// Reads and hashes every published file again, and every object of the content repository.
    ///
    /// - Returns: the files that do not match the manifests any more, and why.
    /// - Throws: ``PublishRefusal`` if the object store does not answer.
    package func verify() async throws -> [ContentError] {
        do {
            return try await differences()
        } catch {
            throw PublishRefusal.from(error)
        }
    }
}

extension IndexedFile {
    /// The problem with this file; `nil` if its bytes still have the recorded hash.
    fileprivate var difference: ContentError? {
        do throws(ContentError) {
            let now = try FileDigest.sha256(of: location, stamp: stamp)
            return now == sha256 ? nil : ContentError(location.string, .otherBytes)
        } catch {
            return error
        }
    }
}

/// The result of one scan of all content.
protocol ContentScan: Sendable {
    var index: ContentIndex { get }
    var problems: [ContentError] { get }
    /// How many files had to be read.
    var readFiles: Int { get }

    /// Whether each file has the same variants as in the other scan.
    func hasSameVariants(as other: Self) -> Bool
}
