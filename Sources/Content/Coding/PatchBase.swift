import Crypto
import InAppPurchase
import SystemPackage

/// The bytes of an older file, all in memory, which a patch refers to.
final class PatchBase {
    /// Allocated once, and never written to after that.
    let bytes: UnsafeRawBufferPointer
    /// The SHA-256 of the bytes.
    let digest: [UInt8]
    /// The same, in lower-case hexadecimal.
    var sha256: String { digest.hex }

    /// Reads the whole file.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: ``CodingError/tooLong(limit:)``, and `Errno` where it cannot be read.
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

    /// Fewer bytes than the size where the file ends before: the hash tells that it is another file then.
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
