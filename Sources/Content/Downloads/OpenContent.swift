package import SystemPackage

/// An open published file: its bytes stay the same even if another file replaces it.
package final class OpenContent: Sendable {
    /// The descriptor for positional reads; closed when this object is released.
    package let descriptor: FileDescriptor
    /// The size in bytes.
    package let size: Int
    private let stamp: FileStamp?

    /// Opens the file; blocks for as long as the disk takes.
    ///
    /// - Parameters:
    ///   - path: the file's location according to a ``ContentRepository``. Ask it again afterwards: if the answer is
    ///     the same, this is the file that was hashed.
    ///   - size: the size according to the repository, in bytes.
    /// - Returns: `nil` if the file is another one, or cannot be opened.
    package init?(path: String, size: Int) {
        let path = FilePath(path)
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec]) else {
            return nil
        }
        let status = try? descriptor.stat()
        self.descriptor = descriptor
        self.size = size
        stamp = status.map(FileStamp.init)
        guard let status, status.type == .regular, status.size == size, stamp == FileStamp(ofFileAt: path) else {
            return nil
        }
    }

    /// Whether the file itself has not been written to since. Cheap: the system answers from memory.
    package var isUnchanged: Bool { (try? descriptor.stat()).map(FileStamp.init) == stamp }

    deinit { try? descriptor.close() }

    /// The whole file, or its first bytes. Blocks for as long as the disk takes.
    ///
    /// - Returns: `nil` if the file became shorter, or cannot be read.
    package func read(upTo maximum: Int = .max) -> [UInt8]? {
        let wanted = min(size, maximum)
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer).prefix(wanted))
            count = read(into: room, at: 0) ? wanted : 0
        }
        return bytes.count == wanted ? bytes : nil
    }

    /// Fills the buffer with the bytes from a position on. Blocks for as long as the disk takes.
    ///
    /// - Returns: `false` if the file ends before that, or cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) -> Bool {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = try? descriptor.read(fromAbsoluteOffset: Int64(position + count), into: rest)
            guard let read, read > 0 else { return false }
            count += read
        }
        return true
    }
}
