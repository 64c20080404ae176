import Content
import NIOCore
import SystemPackage

// NIO means to replace `FileRegion`, and has nothing yet that sends a file without a copy. This is the one place that
// makes one.
extension FileRegion {
    /// With a descriptor of its own, since a handle may be used by one connection at a time. ``close()`` it when the
    /// bytes are sent, or will never be.
    ///
    /// - Parameters:
    ///   - first: the position of the first byte.
    ///   - last: of the last one, not before it and within the file.
    /// - Returns: nil where the file was written to, or the system has no descriptor left.
    init?(of file: OpenContent, first: Int, last: Int) {
        guard first <= last, file.isUnchanged, let descriptor = try? file.descriptor.duplicate() else { return nil }
        let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor.rawValue)
        self.init(fileHandle: handle, readerIndex: first, endIndex: last + 1)
    }

    func close() { try? fileHandle.close() }
}
