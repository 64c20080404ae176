import Foundation
import SystemPackage

/// An upload of one file into the content repository, locked against other clients. All methods block.
package struct ContentUpload: Sendable {
    let file: FileDescriptor
    let path: FilePath
    let sha256: String
    let size: Int
    let store: RepositoryFolder

    /// Locks the file, and checks that the client resumes at its current size.
    ///
    /// - Parameter offset: the size that the client expects; if `nil`, the file is truncated.
    func claim(at offset: Int?) throws {
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { throw UploadRefusal.busy }
        // The previous holder of the lock may have moved the file into the repository, or removed it.
        guard FileStamp(ofFileAt: path)?.inode == FileStamp(try file.stat()).inode else { throw UploadRefusal.busy }
        guard let offset else { return try file.resize(to: 0) }
        let there = FileStamp(try file.stat()).size
        guard offset == there else { throw UploadRefusal.offset(there) }
    }

    /// Appends bytes at the offset.
    ///
    /// - Throws: ``UploadRefusal``
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(UploadRefusal) {
        guard offset >= 0, offset <= size, bytes.count <= size - offset else { throw .tooLong }
        do {
            try file.writeAll(toAbsoluteOffset: Int64(offset), bytes)
        } catch {
            throw .notWritable("\(error)")
        }
    }

    /// Moves the file into the content repository if it is complete and has the expected hash; if its hash differs,
    /// removes it.
    ///
    /// - Returns: `false` if bytes are still missing.
    /// - Throws: ``UploadRefusal``
    package func finish() throws(UploadRefusal) -> Bool {
        do {
            let stamp = FileStamp(try file.stat())
            guard stamp.size == size else { return false }
            guard try FileDigest.sha256(of: path, stamp: stamp) == sha256 else {
                try path.remove()
                throw UploadRefusal.wrongHash
            }
            try file.finish(.nobodyWrites)
            try ObjectFolder(store: store).add(path, as: sha256)
            return true
        } catch let refusal as UploadRefusal {
            throw refusal
        } catch {
            throw .notWritable("\(error)")
        }
    }

    /// Releases the lock, so that the upload can be resumed.
    package func close() { try? file.close() }
}
