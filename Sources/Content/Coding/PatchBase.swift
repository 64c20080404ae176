import Basics
import Crypto
import SystemPackage

/// The bytes of an older file, in memory, which a patch refers to.
final class PatchBase {
    /// The bytes, allocated once and immutable after that.
    let bytes: UnsafeRawBufferPointer
    /// The SHA-256 of the bytes.
    let digest: [UInt8]
    /// The SHA-256 in lower-case hexadecimal.
    var sha256: String { digest.hex }

    /// Reads the whole file.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: ``CodingError/tooLong(limit:)``, and `Errno` if it cannot be read.
    init(_ path: FilePath, limit: Int) throws {
        let file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        bytes = try file.closeAfter {
            let size = Int(clamping: try file.stat().size)
            guard size <= limit else { throw CodingError.tooLong(limit: limit) }
            return try Self.read(file, size: size)
        }
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        digest = Array(hash.finalize())
    }

    deinit { bytes.deallocate() }

    /// Returns fewer bytes than the size if the file ends before; the hash then shows that the file has changed.
    private static func read(_ file: FileDescriptor, size: Int) throws -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        var filled = 0
        do {
            while filled < size {
                let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[filled...]))
                guard count > 0 else { break }
                filled += count
            }
        } catch {
            memory.deallocate()
            throw error
        }
        return UnsafeRawBufferPointer(rebasing: memory.prefix(filled))
    }
}
