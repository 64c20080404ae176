import Foundation

/// The lock by which one process alone uses a folder. It ends with the value, and with the process however that ends.
final class FolderLock: Sendable {
    private let handle: FileHandle

    /// - Throws: ``FolderInUse`` if another process, or another value in this one, has the lock.
    init(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(".lock")
        if !FileManager.default.fileExists(atPath: url.path) {
            _ = FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        handle = try FileHandle(forUpdating: url)
        guard platformLock(handle.fileDescriptor) else { throw FolderInUse() }
    }

    /// Gives the lock back. The second time nothing happens.
    func release() {
        try? handle.close()
    }

    deinit {
        try? handle.close()
    }
}
