import Crypto
import SystemPackage

/// The objects of the content repository: each file once, under its SHA-256.
struct ObjectFolder: Sendable {
    let store: RepositoryFolder

    /// Whether there is an object of this size under this hash.
    func has(_ sha256: String, size: Int) -> Bool { FileStamp(ofFileAt: store.object(sha256))?.size == size }

    /// The hashes of the files that the repository lacks, each once, in the order of the manifest.
    func missing(from manifest: Manifest) -> [String] {
        var seen: Set<String> = []
        return manifest.files.filter { seen.insert($0.sha256).inserted && !has($0.sha256, size: $0.size) }.map(\.sha256)
    }

    /// Copies the file's bytes into the repository, under their hash; the object's folder is not synced yet.
    ///
    /// - Parameter progress: called with the number of bytes that each step copied.
    /// - Throws: ``ContentError`` if the file is not the one that was hashed, `Errno` if nothing can be written.
    func add(_ file: IndexedFile, progress: (Int) -> Void) throws {
        try store.shelf(of: file.sha256).createFolder()
        try TemporaryFile.write(in: store.incoming, permissions: .nobodyWrites, to: store.object(file.sha256)) { copy in
            let digest = try FileDigest.sha256(
                of: file.location, stamp: file.stamp,
                each: { chunk in
                    try copy.writeAll(chunk)
                    progress(chunk.count)
                })
            guard digest == file.sha256 else { throw ContentError(file.location.string, .otherBytes) }
        }
    }

    /// Adds a file that has this hash and is synced to disk. Idempotent.
    func add(_ path: FilePath, as sha256: String) throws(Errno) {
        try store.shelf(of: sha256).createFolder()
        try path.rename(to: store.object(sha256))
        try store.shelf(of: sha256).syncFolder()
    }

    /// Syncs the folders of these objects, so that their names survive a power failure.
    func sync(_ hashes: some Sequence<String>) throws(Errno) {
        for shelf in Set(hashes.map(store.shelf)) { try shelf.syncFolder() }
    }

    /// Reads and hashes every object, including those that no version names.
    ///
    /// - Returns: a problem for each object whose bytes do not have the hash of its name, or that cannot be read.
    func differences() -> [ContentError] {
        var problems: [ContentError] = []
        for shelf in list(objects: store.objects, problems: &problems) {
            for entry in list(objects: shelf.path, problems: &problems) {
                do throws(ContentError) {
                    let sha256 = try FileDigest.sha256(of: entry.path, stamp: FileStamp(entry.status))
                    if sha256 != entry.name { problems.append(ContentError(entry.path.string, .otherBytes)) }
                } catch {
                    problems.append(error)
                }
            }
        }
        return problems
    }

    private func list(objects folder: FilePath, problems: inout [ContentError]) -> [FolderListing.Entry] {
        guard (try? folder.stat()) != nil else { return [] }
        do throws(ContentError) {
            let listing = try FolderListing(of: folder)
            problems += listing.problems.map(\.problem)
            return listing.entries
        } catch {
            problems.append(error)
            return []
        }
    }
}
