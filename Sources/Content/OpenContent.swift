package import SystemPackage

/// A published file, held open: its bytes stay the same where another file takes its place.
package final class OpenContent: Sendable {
    /// For reading at positions; closed when nobody holds this any more.
    package let descriptor: FileDescriptor
    /// In bytes.
    package let size: Int
    private let stamp: FileStamp?

    /// Blocks for as long as the disk takes.
    ///
    /// - Parameters:
    ///   - path: where a ``ContentRepository`` says that the file is. Ask it again afterwards: if it still says so, this is
    ///     the file that was hashed.
    ///   - size: as the store says, in bytes.
    /// - Returns: nil where the file is another one, or cannot be opened.
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

    /// Whether nobody wrote to the file itself since. Cheap: the system has the answer in memory.
    package var isUnchanged: Bool { (try? descriptor.stat()).map(FileStamp.init) == stamp }

    deinit { try? descriptor.close() }

    /// The bytes, whole. Blocks for as long as the disk takes.
    ///
    /// - Returns: nil where the file became shorter, or cannot be read.
    package func read() -> [UInt8]? {
        let bytes = try? [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<size])
                let read = try descriptor.read(fromAbsoluteOffset: Int64(count), into: rest)
                guard read > 0 else { return }
                count += read
            }
        }
        return bytes?.count == size ? bytes : nil
    }
}
