import Foundation

/// A lock that gives a folder to one process at a time. It ends with the value, and with the process however that ends.
// Sendable: whether it was released is read and written under the lock alone.
final class FolderLock: @unchecked Sendable {
    /// The descriptor of the lock's file.
    let descriptor: Int32
    private let handle: FileHandle
    private let lock = NSLock()
    private var isReleased = false

    /// - Throws: ``FolderInUse`` if another process, or another value in this one, has the lock.
    init(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(".lock")
        if !FileManager.default.fileExists(atPath: url.path) {
            _ = FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        handle = try FileHandle(forUpdating: url)
        descriptor = handle.fileDescriptor
        guard platformLock(descriptor) else { throw FolderInUse() }
    }

    /// Releases the lock. The second time nothing happens.
    func release() {
        lock.withLock {
            guard !isReleased else { return }
            isReleased = true
            // Closing it is not enough: a process that another thread is starting has a copy of each open file until
            // its program runs.
            platformUnlock(descriptor)
            try? handle.close()
        }
    }

    deinit { release() }
}

/// Another process uses the client's folder: an app extension, or a second copy of the game.
public struct FolderInUse: Error, Sendable {}
