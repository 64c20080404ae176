import Foundation
import InAppPurchase
import SystemPackage

/// A folder to be published, read and hashed.
package struct SourceFolder: Sendable {
    let files: [IndexedFile]
    /// The version of the folder's name, with its build metadata; `nil` if its name is not a version.
    let version: SemanticVersion?

    /// - Parameter progress: called with what was read so far.
    /// - Throws: ``ContentError`` for the first problem in the folder.
    init(_ folder: FilePath, progress: (PublishingProgress) -> Void = { _ in }) throws(ContentError) {
        let found = try VersionScan(of: folder).files
        var done = PublishingProgress(.reading, total: found.reduce(0) { $0.saturatingAdding($1.stamp.size) })
        var files: [IndexedFile] = []
        for (path, location, stamp) in found {
            let sha256 = try FileDigest.sha256(of: location, stamp: stamp) { progress(done.adding($0)) }
            files.append(IndexedFile(path: path, location: location, stamp: stamp, sha256: sha256))
        }
        self.files = files
        version = SemanticVersion(folder.lastComponent?.string ?? "")
    }

    /// Reads and hashes a folder. Blocks for as long as the disk takes.
    ///
    /// - Parameter progress: called with what was read so far.
    /// - Throws: ``ContentError`` for the first problem in the folder.
    package init(reading path: String, progress: (PublishingProgress) -> Void) throws {
        try self.init(FilePath(path), progress: progress)
    }

    /// The path of the file with a hash; `nil` if it has none.
    package func location(of sha256: String) -> String? { files.first { $0.sha256 == sha256 }?.location.string }

    /// The files in the order of a manifest.
    package var manifestFiles: [Manifest.File] {
        files.map { Manifest.File(path: $0.path, size: $0.stamp.size, sha256: $0.sha256) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The paths of the files that are programs or scripts, the first of many. Blocks for as long as the disk takes.
    package var programs: [String] {
        let locations = Dictionary(files.map { ($0.path, $0.location) }) { first, _ in first }
        return ProgramFile.paths(among: manifestFiles) { locations[$0.path] }
    }
}

/// A file with its stamp and hash.
struct IndexedFile: Hashable, Sendable {
    /// The path relative to the version's folder.
    let path: String
    let location: FilePath
    let stamp: FileStamp
    let sha256: String
}
