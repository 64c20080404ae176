import Dispatch
package import Foundation
package import InAppPurchase
import SystemPackage

/// The content repository in a folder: `<bundle>/<semantic version>/<files, any depth>`, made by hand, and published
/// versions in `.store` beside them.
///
/// Put a version in place atomically: write it elsewhere on the same disk, then rename it into its bundle's folder.
package final class FolderRepository: ContentRepository {
    let folder: FilePath
    private let holder: CurrentContentScan<FolderScan>

    /// Reads and hashes everything in the folder.
    ///
    /// - Parameter date: now; files written just before it are hashed again by the next refresh.
    /// - Throws: ``ContentRefusal``, with the path to each mistake.
    package init(path: String, at date: Date) async throws(ContentRefusal) {
        // Disk access blocks, so it has a queue of its own; one scan at a time.
        let (folder, queue) = (FilePath(path), DispatchQueue(label: "content"))
        let read = { @Sendable (earlier: FolderScan, date: Date) in
            await queue.value { FolderScan(of: folder, after: earlier, at: date) }
        }
        let scan = await read(FolderScan(at: date), date)
        guard scan.problems.isEmpty else { throw ContentRefusal(scan.problems) }
        self.folder = folder
        holder = CurrentContentScan(scan, read: read)
    }

    /// Scans for changes and serves them; cheap if nothing changed.
    ///
    /// If something has a problem, it is left out, or served as it was published before. A second call while one is
    /// running returns at once, without changes.
    package func refresh(at date: Date) async -> ContentChanges { await holder.refresh(at: date) }

    /// Like ``refresh(at:)``, but waits if one is running: what was written before the call is served when it returns.
    /// If the wait takes longer than about ten seconds, it returns without changes.
    package func reload(at date: Date) async throws -> ContentChanges { try await holder.reload(at: date) }

    /// Short, since the system answers from its file cache.
    package var refreshInterval: Duration { .seconds(2) }

    package var revision: Int { holder.revision }

    package func bundles() -> [BundleName] { index.versions.keys.sorted() }

    package func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? {
        index.manifest(of: bundle, version: version)
    }

    /// All versions of the bundle in any state, including drafts; lowest first.
    package func records(of bundle: BundleName) -> [VersionRecord] { index.records(of: bundle) }

    /// The size of the file with this hash that a version or a draft names; `nil` if none does.
    package func size(ofNamed sha256: String) -> Int? { index.size(ofNamed: sha256) }

    /// The location of the bytes; `nil` also if the file has changed since it was hashed, until the next refresh.
    package func location(of sha256: String) -> ContentLocation? {
        let scan = holder.scan
        return (scan.index.files(sha256: sha256) + scan.variants.files(sha256: sha256))
            .first { FileStamp(ofFileAt: $0.location) == $0.stamp }
            .map { .file(path: $0.location.string, size: $0.stamp.size) }
    }

    package func variants(of sha256: String) -> [ContentVariant] { holder.scan.variants.variants(of: sha256) }

    var index: ContentIndex { holder.scan.index }
}
