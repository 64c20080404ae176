import Basics
import Crypto
import SystemPackage

/// The content coding `dcz` (RFC 9842 §5): a skippable frame with the SHA-256 of the dictionary, then the frame of the
/// patch, byte for byte.
enum DictionaryFrame {
    /// The magic number of the skippable frame, and the length of what follows in it.
    private static let magic: [UInt8] = [0x5E, 0x2A, 0x4D, 0x18, 0x20, 0, 0, 0]
    /// Every client supports a window of 8 MB, or of 1.25 times the dictionary if that is more, but none above 128 MB.
    private static let (smallestWindow, maximumWindow) = (8_000_000, 128_000_000)

    /// Whether clients are required to support a patch as `dcz`: its window is as large as the file that it makes.
    static func holds(_ size: Int, dictionary: Int) -> Bool {
        size <= min(max(smallestWindow, dictionary + dictionary / 4), maximumWindow)
    }

    /// Writes the header and the patch into an empty file.
    static func write(_ patch: FileDescriptor, from base: PatchBase, to target: FileDescriptor) throws -> ContentVariant
    {
        var (digest, size) = (SHA256(), 0)
        func put(_ bytes: UnsafeRawBufferPointer) throws {
            digest.update(bufferPointer: bytes)
            try target.writeAll(bytes)
            size += bytes.count
        }
        try (magic + base.digest).withUnsafeBytes(put)
        try patch.seek(offset: 0, from: .start)
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: CodingRun.chunkBytes, alignment: 1)
        defer { chunk.deallocate() }
        while case let count = try patch.read(into: chunk), count > 0 {
            try put(UnsafeRawBufferPointer(rebasing: chunk.prefix(count)))
        }
        return ContentVariant(.dcz, from: base.sha256, size: size, sha256: digest.finalize().hex)
    }
}
