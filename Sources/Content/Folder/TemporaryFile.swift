import Basics
import Foundation
import SystemPackage

/// Atomic writes: files appear complete under their name, or not at all. Those of root belong to the folder's owner.
enum TemporaryFile {
    static let prefix = "new-"

    /// Writes a temporary file, syncs it, and renames it. The folder of the new name is not synced.
    ///
    /// - Parameters:
    ///   - folder: on the same disk; the names of files that a killed process leaves there begin with ``prefix``.
    ///   - permissions: those of the complete file.
    static func write(
        in folder: FilePath, permissions: FilePermissions, to target: FilePath, _ body: (FileDescriptor) throws -> Void
    ) throws {
        try write(in: folder, permissions: permissions) { file in
            try body(file)
            return target
        }
    }

    /// Writes a temporary file, syncs it, and renames it; for names that depend on what is written.
    ///
    /// - Parameter body: returns the name; `nil` to discard the file.
    static func write(
        in folder: FilePath, permissions: FilePermissions, _ body: (FileDescriptor) throws -> FilePath?
    ) throws {
        let (file, path) = try open(in: folder)
        do {
            let target = try file.closeAfter {
                FileOwner.inherit(file.rawValue, in: folder.string)
                let target = try body(file)
                if target != nil { try file.finish(permissions) }
                return target
            }
            if let target { try path.rename(to: target) } else { try path.remove() }
        } catch {
            try? path.remove()
            throw error
        }
    }

    /// Creates a file with a unique name that the system chooses.
    private static func open(in folder: FilePath) throws(Errno) -> (FileDescriptor, FilePath) {
        // POSIX `mkstemp`: the system replaces the six X.
        var template = Array(folder.appending(prefix + "XXXXXX").string.utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return (FileDescriptor(rawValue: descriptor), FilePath(platformString: template))
    }
}

extension FileDescriptor {
    /// Sets the permissions, and syncs the file to disk.
    func finish(_ permissions: FilePermissions) throws(Errno) {
        try Errno.check(fchmod(rawValue, permissions.rawValue))
        try Errno.check(fsync(rawValue))
    }
}

extension FilePath {
    /// Creates the folder if there is none, and syncs its parent. Whatever the umask is, all may enter it who may enter
    /// its parent; a folder of root belongs to the parent's owner.
    func createFolder() throws(Errno) {
        let parent = removingLastComponent()
        guard withPlatformString({ mkdir($0, FilePermissions.ownerReadWriteExecute.rawValue) }) == 0 else {
            let error = Errno(rawValue: errno)
            guard error == .fileExists else { throw error }
            return
        }
        try whileOpen(.noFollow) { folder in
            FileOwner.inherit(folder.rawValue, in: parent.string)
            let permissions = try parent.stat().permissions.union(.ownerReadWriteExecute)
            try Errno.check(fchmod(folder.rawValue, permissions.rawValue))
        }
        try parent.syncFolder()
    }

    /// Syncs the folder, so that the names in it survive a power failure.
    func syncFolder() throws(Errno) {
        try whileOpen { folder in
            // Some file systems cannot sync a folder, and need not.
            guard fsync(folder.rawValue) == 0 || errno == EINVAL else { throw Errno(rawValue: errno) }
        }
    }

    private func whileOpen(
        _ options: FileDescriptor.OpenOptions = [], _ body: (FileDescriptor) throws -> Void
    ) throws(Errno) {
        do {
            let folder = try FileDescriptor.open(self, .readOnly, options: [.directory, .closeOnExec, options])
            try folder.closeAfter { try body(folder) }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    func rename(to target: FilePath) throws(Errno) {
        try Errno.check(withPlatformString { from in target.withPlatformString { Foundation.rename(from, $0) } })
    }

    func remove() throws(Errno) { try Errno.check(withPlatformString { unlink($0) }) }
}

extension Errno {
    static func check(_ result: CInt) throws(Errno) { guard result == 0 else { throw Errno(rawValue: errno) } }
}
