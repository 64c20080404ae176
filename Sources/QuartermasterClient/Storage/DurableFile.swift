import Foundation

/// Writes files so that a crash leaves the old content or the new one.
enum DurableFile {
    /// Replaces the file's content.
    ///
    /// - Parameter mode: the file's permissions; the owner's alone by default.
    static func write(_ bytes: Data, to url: URL, mode: Int = 0o600) throws {
        let manager = FileManager.default
        let folder = url.deletingLastPathComponent()
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let beside = folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        guard manager.createFile(atPath: beside.path, contents: nil, attributes: [.posixPermissions: mode]) else {
            throw CocoaError(.fileWriteUnknown)
        }
        do {
            let handle = try FileHandle(forWritingTo: beside)
            defer { try? handle.close() }
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            try rename(beside, to: url)
        } catch {
            try? manager.removeItem(at: beside)
            throw error
        }
        synchronize(folder: folder)
    }

    /// Moves a file over another, or to a new name.
    static func rename(_ source: URL, to target: URL) throws {
        guard
            source.withUnsafeFileSystemRepresentation({ from in
                target.withUnsafeFileSystemRepresentation { to in
                    guard let from, let to else { return false }
                    return platformRename(from, to) == 0
                }
            })
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Makes renames within a folder survive a loss of power. Nothing happens if the file system cannot do that.
    static func synchronize(folder: URL) {
        guard let handle = try? FileHandle(forReadingFrom: folder) else { return }
        try? handle.synchronize()
        try? handle.close()
    }
}
