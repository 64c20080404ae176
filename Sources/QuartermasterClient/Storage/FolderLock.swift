import Foundation

/// A lock that gives a folder to one process at a time. It ends with the value, and with the process however that ends.
// Sendable: whether it was released is read and written under the lock alone, and the file by its holder alone.
final class FolderLock: @unchecked Sendable {
    /// The descriptor of the lock's file.
    let descriptor: Int32
    private let handle: FileHandle
    private let lock = NSLock()
    private var isReleased = false
    /// The content of the file while this value, or nobody since, has the lock.
    private let owner = Data(UUID().uuidString.utf8)

    /// - Throws: ``FolderInUse`` if another process, or another value in this one, has the lock.
    init(_ folder: URL) throws {
        let url = folder.appendingPathComponent(".lock")
        if !FileManager.default.fileExists(atPath: url.path) {
            _ = FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        handle = try FileHandle(forUpdating: url)
        descriptor = handle.fileDescriptor
        _ = try retake()
    }

    /// Lets others have the lock, until ``retake()``.
    func leave() { lock.withLock { if !isReleased { platformUnlock(descriptor) } } }

    /// Takes the lock again.
    ///
    /// - Returns: whether another had it meanwhile.
    /// - Throws: ``FolderInUse`` if another has it.
    func retake() throws -> Bool {
        guard platformLock(descriptor) else { throw FolderInUse() }
        try handle.seek(toOffset: 0)
        guard try handle.read(upToCount: owner.count) != owner else { return false }
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: owner)
        return true
    }

    /// Releases the lock for good. The second time nothing happens.
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
public struct FolderInUse: Error, Sendable {
    public init() {}
}
