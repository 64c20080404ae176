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
    /// `nil` if every refresh scans.
    private let watch: FolderWatch?

    /// Reads and hashes everything in the folder.
    ///
    /// - Parameters:
    ///   - date: now; files written just before it are hashed again by the next refresh.
    ///   - isWatched: whether the kernel is asked, from the first refresh on, if there is anything to scan for.
    ///   - published: what earlier servers published from folders made by hand. Files that have changed since are
    ///     ``problems``, and not sent; the manifests stay.
    /// - Throws: ``ContentRefusal``, with the path to each error.
    package init(
        path: String, isWatched: Bool = true, published: [Manifest] = [], at date: Date
    ) async throws(ContentRefusal) {
        // Disk access blocks, so it has a queue of its own; one scan at a time.
        let (folder, queue) = (FilePath(path), DispatchQueue(label: "content"))
        let watch = isWatched ? FolderWatch(folder) : nil
        let scan = await queue.value {
            FolderScan(of: folder, after: FolderScan(at: date, published: published), at: date)
        }
        let problems = scan.problems.filter { !$0.reason.leavesVersion }
        guard problems.isEmpty else { throw ContentRefusal(problems) }
        self.folder = folder
        self.watch = watch
        holder = CurrentContentScan(scan) { earlier, date in
            await queue.value {
                let isDue = watch?.isScanDue(at: date) ?? true
                return isDue || !earlier.isSettled ? FolderScan(of: folder, after: earlier, at: date) : nil
            }
        }
    }

    /// Scans for changes and serves them. If the folder is watched, it is not scanned while nothing is changed in it.
    ///
    /// If something has a problem, it is left out, or served as it was published before. A second call while one is
    /// running returns at once, without changes.
    package func refresh(at date: Date) async -> ContentChanges {
        var changes = await holder.refresh(at: date)
        changes.unwatched = watch?.newProblem()?.description
        return changes
    }

    /// Like ``refresh(at:)``, but waits if one is running, and always scans: what was written before the call is served
    /// when it returns. If the wait takes longer than about ten seconds, it returns without changes.
    package func reload(at date: Date) async throws -> ContentChanges {
        watch?.suspect()
        return try await holder.reload(at: date)
    }

    /// Short, since the system answers from its file cache.
    package var refreshInterval: Duration { .seconds(2) }

    package var problems: [ContentError] { holder.scan.problems }

    package var revision: Int { holder.revision }

    package var variantsRevision: Int { holder.variantsRevision }

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
        let files = scan.index.files(sha256: sha256) + scan.variants.files(sha256: sha256)
        guard let file = files.first(where: { FileStamp(ofFileAt: $0.location) == $0.stamp }) else {
            if !files.isEmpty { watch?.suspect() }
            return nil
        }
        return .file(path: file.location.string, size: file.stamp.size)
    }

    package func variants(of sha256: String) -> [ContentVariant] { holder.scan.variants.variants(of: sha256) }

    var index: ContentIndex { holder.scan.index }
}
