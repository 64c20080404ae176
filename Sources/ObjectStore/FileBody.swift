import Basics
import Crypto
import NIOCore
import NIOPosix
import SystemPackage

/// The body of an upload that is read from a file, chunk by chunk. The last chunk is sent only if all bytes have the
/// expected hash, so that a changed file is never stored under it.
struct FileBody: AsyncSequence, Sendable {
    static let chunkBytes = 256 << 10

    let path: String
    let size: Int
    let sha256: String
    /// Called with the bytes of each chunk.
    let progress: @Sendable (Int) -> Void

    private var changed: ObjectStoreError { .file("\(path): changed while it was sent") }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: FileBody
        private var file: OpenFile?
        private var hash = SHA256()
        private var offset = 0

        init(body: FileBody) { self.body = body }

        /// - Throws: ``ObjectStoreError``
        mutating func next() async throws -> ByteBuffer? {
            guard offset < body.size else { return nil }
            let file = try await open()
            let (start, length) = (offset, Swift.min(FileBody.chunkBytes, body.size - offset))
            let read = try await NIOThreadPool.singleton.runIfActive { try file.read(length, at: start) }
            guard let chunk = read else { throw body.changed }
            chunk.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            offset += chunk.readableBytes
            if offset == body.size, hash.finalize().hex != body.sha256 { throw body.changed }
            body.progress(chunk.readableBytes)
            return chunk
        }

        private mutating func open() async throws -> OpenFile {
            if let file { return file }
            let path = body.path
            let opened = try await NIOThreadPool.singleton.runIfActive { try OpenFile(path) }
            file = opened
            return opened
        }
    }
}

/// An open file, closed when it is released.
private final class OpenFile: Sendable {
    private let descriptor: SystemPackage.FileDescriptor

    /// Opens the file. Blocks.
    init(_ path: String) throws(ObjectStoreError) {
        do {
            descriptor = try SystemPackage.FileDescriptor.open(
                FilePath(path), .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        } catch {
            throw .file("\(path): \(error)")
        }
    }

    deinit { try? descriptor.close() }

    /// Reads a chunk; `nil` at the end of the file. Blocks.
    func read(_ length: Int, at offset: Int) throws -> ByteBuffer? {
        var buffer = ByteBuffer()
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { bytes in
            let room = UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(length))
            return try descriptor.read(fromAbsoluteOffset: Int64(offset), into: room)
        }
        return buffer.readableBytes > 0 ? buffer : nil
    }
}
