import Dispatch
public import Foundation
public import InAppPurchase
import Synchronization
import SystemPackage

/// Bundles in a folder: `<bundle>/<semantic version>/<files, any depth>`, and in the store beside them, `.store`.
///
/// A version should appear at once: written elsewhere on the same disk, then renamed into its bundle's folder.
public final class FolderContentStore: ContentStore {
    private struct State {
        var scan: FolderScan
        var isRefreshing = false
    }

    let folder: FilePath
    private let state: Mutex<State>
    /// Reading the disk blocks; it has a thread of its own, one scan at a time.
    private let queue: DispatchQueue

    /// Reads and hashes everything in the folder.
    ///
    /// - Parameter date: now; files written to just before it are hashed again by the next refresh.
    /// - Throws: ``ContentRefusal``, with the path to each mistake.
    public init(path: String, at date: Date) async throws(ContentRefusal) {
        let (folder, queue) = (FilePath(path), DispatchQueue(label: "content"))
        let scan = await Self.scan(folder, after: FolderScan(at: date), at: date, on: queue)
        guard scan.problems.isEmpty else { throw ContentRefusal(scan.problems) }
        (self.folder, self.queue) = (folder, queue)
        state = Mutex(State(scan: scan))
    }

    /// A refresh takes longer only where much has to be hashed, which the next one then has.
    private static let patience = 1_000
    private static let pause = Duration.milliseconds(10)

    /// Takes up what changed in the folder since; cheap where nothing did.
    ///
    /// What has a problem is left out, or stays as it was where it was published before. A second call while one is
    /// under way returns at once, with nothing changed.
    public func refresh(at date: Date) async -> ContentChanges {
        guard let begun = begin() else { return ContentChanges() }
        return await finish(begun, at: date)
    }

    /// As ``refresh(at:)``, but takes its turn where one is under way: what was written before the call is served when
    /// it returns.
    public func takeUp(at date: Date) async throws -> ContentChanges {
        for _ in 0..<Self.patience {
            if let begun = begin() { return await finish(begun, at: date) }
            try await Task.sleep(for: Self.pause)
        }
        return ContentChanges()
    }

    /// The state to begin from; nil while a refresh is under way.
    private func begin() -> FolderScan? {
        state.withLock { state in
            guard !state.isRefreshing else { return nil }
            state.isRefreshing = true
            return state.scan
        }
    }

    private func finish(_ begun: FolderScan, at date: Date) async -> ContentChanges {
        let scan = await Self.scan(folder, after: begun, at: date, on: queue)
        state.withLock { $0 = State(scan: scan) }
        return ContentChanges(from: begun, to: scan)
    }

    public func bundles() -> [BundleName] { index.versions.keys.sorted() }

    public func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? {
        index.manifest(of: bundle, version: version)
    }

    /// All versions of the bundle in whatever state, drafts too; lowest first.
    public func records(of bundle: BundleName) -> [VersionRecord] { index.records(of: bundle) }

    /// The size of the file with this hash that a version or a draft names; nil where none does.
    public func size(ofNamed sha256: String) -> Int? { index.size(ofNamed: sha256) }

    /// Where the bytes are; nil also where the file is not the one that was hashed any more, until it is refreshed.
    public func location(of sha256: String) -> ContentLocation? {
        let scan = state.withLock(\.scan)
        return (scan.index.files(sha256: sha256) + scan.variants.files(sha256: sha256))
            .first { FileStamp(ofFileAt: $0.location) == $0.stamp }
            .map { .file(path: $0.location.string, size: $0.stamp.size) }
    }

    public func variants(of sha256: String) -> [ContentVariant] {
        state.withLock { $0.scan.variants.variants(of: sha256) }
    }

    var index: ContentIndex { state.withLock { $0.scan.index } }

    private static func scan(
        _ folder: FilePath, after earlier: FolderScan, at date: Date, on queue: DispatchQueue
    ) async -> FolderScan {
        await queue.value { FolderScan(of: folder, after: earlier, at: date) }
    }
}
