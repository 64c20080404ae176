import Foundation
import SystemPackage

/// One file on its way into the store, while nobody else sends it. Everything here blocks.
package struct ContentUpload: Sendable {
    let file: FileDescriptor
    let path: FilePath
    let sha256: String
    let size: Int
    let store: RepositoryFolder

    /// Keeps others away from the file, and looks whether it goes on where the client thinks.
    func claim(at offset: Int?) throws {
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { throw UploadRefusal.busy }
        // Who held the lock before may have taken the file into the store, or dropped it.
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

    /// Takes the file into the store where all of it is there and its hash fits.
    ///
    /// - Returns: whether it was all.
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

    /// Lets others go on with it.
    package func close() { try? file.close() }
}
