import Dispatch
public import Foundation
import SystemPackage

/// A look into a content folder without serving it: what a server that starts now would publish, and what it would
/// refuse. Writes nothing, and may be made beside a server.
public struct ContentInspection: Sendable {
    /// What is published, by bundle and then by version, the lowest first.
    public let manifests: [Manifest]
    /// What is refused; a server does not start while there is any.
    public let problems: [ContentProblem]

    private let files: [IndexedFile]
    private let queue: DispatchQueue

    /// Reads and hashes everything in the folder, as a server does at its start.
    ///
    /// - Parameter date: now.
    public init(of path: String, at date: Date) async {
        let queue = DispatchQueue(label: "content inspection")
        let scan = await queue.value { FolderScan(of: FilePath(path), after: FolderScan(at: date), at: date) }
        let versions = scan.index.versions.sorted { $0.key < $1.key }.flatMap(\.value)
        (manifests, files) = (versions.map(\.manifest), versions.flatMap(\.files))
        (problems, self.queue) = (scan.problems, queue)
    }

    /// Reads and hashes every published file once more.
    ///
    /// - Returns: the files that are not those of the manifests any more, and why.
    public func verify() async -> [ContentProblem] {
        await queue.value { files.compactMap(\.difference) }
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
