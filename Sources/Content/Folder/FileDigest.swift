import Basics
import Crypto
import SystemPackage

/// Computes the SHA-256 of files.
enum FileDigest {
    /// The bytes of one read; large enough that system calls do not count, small enough for any machine.
    static let chunkBytes = 256 * 1024

    /// The SHA-256 of the file's bytes, in lower-case hexadecimal.
    ///
    /// - Throws: ``ContentError`` if the file cannot be read, or does not have this stamp from beginning to end.
    static func sha256(
        of path: FilePath, stamp: FileStamp, progress: (Int) -> Void = { _ in }
    ) throws(ContentError) -> String {
        do {
            return try sha256(of: path, stamp: stamp, each: { progress($0.count) })
        } catch let problem as ContentError {
            throw problem
        } catch {
            throw ContentError(path.string, .unreadable("\(error)"))
        }
    }

    /// The SHA-256 of the file's bytes; passes every chunk that was read to `each`.
    ///
    /// - Throws: ``ContentError``, `Errno`, and what `each` throws.
    static func sha256(
        of path: FilePath, stamp: FileStamp, each: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> String {
        // Non-blocking, in case a pipe has replaced the file.
        let file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        return try file.closeAfter {
            guard let digest = try hash(file, size: stamp.size, each: each), FileStamp(try file.stat()) == stamp else {
                throw ContentError(path.string, .changing)
            }
            return digest.hex
        }
    }

    /// The file's hash; `nil` if there is more or less to read than the size.
    private static func hash(
        _ file: FileDescriptor, size: Int, each: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> SHA256.Digest? {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 1)
        defer { chunk.deallocate() }
        var (hash, left) = (SHA256(), size)
        while case let count = try file.read(into: chunk), count > 0 {
            guard count <= left else { return nil }
            left -= count
            let bytes = UnsafeRawBufferPointer(rebasing: chunk.prefix(count))
            hash.update(bufferPointer: bytes)
            try each(bytes)
        }
        return left == 0 ? hash.finalize() : nil
    }
}
