package import Content
import Hummingbird
package import NIOCore
import NIOPosix
import ServerHTTP

extension ResponseBody {
    /// The bytes of an open file from `first` to `last`.
    ///
    /// The channel is closed, in the middle of the body, if the file is written to or cut short meanwhile: the client
    /// must take neither other bytes nor the next response for the rest.
    package init(of file: OpenContent, first: Int, last: Int, on channel: any Channel) {
        self.init(contentLength: last - first + 1) { writer in
            for position in stride(from: first, through: last, by: ContentRoutes.chunkBytes) {
                let count = min(ContentRoutes.chunkBytes, last - position + 1)
                let bytes = try await NIOThreadPool.singleton.runIfActive { file.bytes(at: position, count: count) }
                guard let bytes else {
                    channel.close(promise: nil)
                    throw ChangedContentError()
                }
                try await writer.write(bytes)
            }
            try await writer.finish(nil)
        }
    }
}

/// A file was written to, or cut short, while it was being sent.
private struct ChangedContentError: Error {}

extension OpenContent {
    /// Reads bytes, and blocks for as long as the disk takes.
    ///
    /// - Returns: `nil` if the file has changed since it was opened, or cannot be read.
    fileprivate func bytes(at position: Int, count: Int) -> ByteBuffer? {
        var bytes = ByteBuffer()
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
            read(into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(count)), at: position) ? count : 0
        }
        // Bytes that were read before the file changed match its hash, whatever happens to the file afterwards.
        return bytes.readableBytes == count && isUnchanged ? bytes : nil
    }
}
