import Dispatch
package import Foundation
package import InAppPurchase
import SystemPackage

/// Bundles in a folder: `<bundle>/<semantic version>/<files, any depth>`, and in the store beside them, `.store`.
///
/// A version should appear at once: written elsewhere on the same disk, then renamed into its bundle's folder.
package final class FolderRepository: ContentRepository {
    let folder: FilePath
    private let holder: CurrentContentScan<FolderScan>

    /// Reads and hashes everything in the folder.
    ///
    /// - Parameter date: now; files written to just before it are hashed again by the next refresh.
    /// - Throws: ``ContentRefusal``, with the path to each mistake.
    package init(path: String, at date: Date) async throws(ContentRefusal) {
        // Reading the disk blocks; it has a thread of its own, one scan at a time.
        let (folder, queue) = (FilePath(path), DispatchQueue(label: "content"))
        let read = { @Sendable (earlier: FolderScan, date: Date) in
            await queue.value { FolderScan(of: folder, after: earlier, at: date) }
        }
        let scan = await read(FolderScan(at: date), date)
        guard scan.problems.isEmpty else { throw ContentRefusal(scan.problems) }
        self.folder = folder
        holder = CurrentContentScan(scan, read: read)
    }

    /// Takes up what changed in the folder since; cheap where nothing did.
    ///
    /// What has a problem is left out, or stays as it was where it was published before. A second call while one is
    /// under way returns at once, with nothing changed.
    package func refresh(at date: Date) async -> ContentChanges { await holder.refresh(at: date) }

    /// As ``refresh(at:)``, but takes its turn where one is under way: what was written before the call is served when
    /// it returns.
    package func reload(at date: Date) async throws -> ContentChanges { try await holder.reload(at: date) }

    /// The disk has the answer in memory.
    package var refreshInterval: Duration { .seconds(2) }

    package func bundles() -> [BundleName] { index.versions.keys.sorted() }

    package func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? {
        index.manifest(of: bundle, version: version)
    }

    /// All versions of the bundle in whatever state, drafts too; lowest first.
    package func records(of bundle: BundleName) -> [VersionRecord] { index.records(of: bundle) }

    /// The size of the file with this hash that a version or a draft names; nil where none does.
    package func size(ofNamed sha256: String) -> Int? { index.size(ofNamed: sha256) }

    /// Where the bytes are; nil also where the file is not the one that was hashed any more, until it is refreshed.
    package func location(of sha256: String) -> ContentLocation? {
        let scan = holder.scan
        return (scan.index.files(sha256: sha256) + scan.variants.files(sha256: sha256))
            .first { FileStamp(ofFileAt: $0.location) == $0.stamp }
            .map { .file(path: $0.location.string, size: $0.stamp.size) }
    }

    package func variants(of sha256: String) -> [ContentVariant] { holder.scan.variants.variants(of: sha256) }

    var index: ContentIndex { holder.scan.index }
}
