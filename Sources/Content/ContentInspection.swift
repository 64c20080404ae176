import Dispatch
public import Foundation
import SystemPackage

/// A look into a content folder without serving it: what a server that starts now would publish, and what it would
/// refuse. Writes nothing, and may be made beside a server.
public struct ContentInspection: Sendable {
    /// What can be read, by bundle and then by version, the lowest first.
    public let manifests: [Manifest]
    /// What is refused; a server does not start while there is any.
    public let problems: [ContentProblem]

    /// All versions in whatever state, drafts too, by bundle and then by version.
    public let records: [VersionRecord]

    private let files: [IndexedFile]
    private let store: StoreFolder
    private let queue: DispatchQueue

    /// Reads and hashes everything in the folder, as a server does at its start.
    ///
    /// - Parameter date: now.
    public init(of path: String, at date: Date) async {
        let queue = DispatchQueue(label: "content inspection")
        let scan = await queue.value { FolderScan(of: FilePath(path), after: FolderScan(at: date), at: date) }
        let bundles = Set(scan.index.versions.keys).union(scan.index.drafts.keys).sorted()
        records = bundles.flatMap(scan.index.records)
        manifests = records.filter { $0.state != .draft }.map(\.manifest)
        store = StoreFolder(content: FilePath(path))
        files = bundles.flatMap { scan.index.versions[$0] ?? [] }.flatMap(\.files)
        (problems, self.queue) = (scan.problems, queue)
    }

    /// Reads and hashes every published file once more, and every file of the store.
    ///
    /// - Returns: the files that are not those of the manifests any more, and why.
    public func verify() async -> [ContentProblem] {
        await queue.value {
            let byHand = files.filter { !$0.location.starts(with: store.objects) }
            return byHand.compactMap(\.difference) + ObjectFolder(store: store).differences()
        }
    }
}

extension IndexedFile {
    /// Nil where the bytes are those that were hashed.
    fileprivate var difference: ContentProblem? {
        do throws(ContentProblem) {
            let now = try FileDigest.sha256(of: location, stamp: stamp)
            return now == sha256 ? nil : ContentProblem(location.string, .otherBytes)
        } catch {
            return error
        }
    }
}
