package import Content
import NIOCore
import ServerHTTP
import SystemPackage

// NIO intends to replace `FileRegion`, and has nothing yet that sends a file without a copy. It is created here only.
extension FileRegion {
    /// A region with a file descriptor of its own, since a handle may be used by one connection at a time. `close()`
    /// it when the bytes are sent, or will never be.
    ///
    /// - Parameters:
    ///   - first: the position of the first byte.
    ///   - last: the position of the last byte, not before the first and within the file.
    /// - Returns: `nil` if the file was written to, or the system has no file descriptor left.
    package init?(of file: OpenContent, first: Int, last: Int) {
        guard first <= last, file.isUnchanged, let descriptor = try? file.descriptor.duplicate() else { return nil }
        let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor.rawValue)
        self.init(fileHandle: handle, readerIndex: first, endIndex: last + 1)
    }
}

extension OpenContent: SentFile {}
