import Foundation
import SystemPackage

/// Files that appear whole under their name, or not at all.
enum TemporaryFile {
    static let prefix = "new-"

    /// Writes a file, has the disk confirm its bytes, and gives it its name. The folder of the new name is not synced.
    ///
    /// - Parameters:
    ///   - folder: on the same disk; what a killed process leaves there begins with ``prefix``.
    ///   - permissions: those of the file when it is done.
    static func write(
        in folder: FilePath, permissions: FilePermissions, to target: FilePath, _ body: (FileDescriptor) throws -> Void
    ) throws {
        try write(in: folder, permissions: permissions) { file in
            try body(file)
            return target
        }
    }

    /// The same, where the name comes of what is written.
    ///
    /// - Parameter body: returns the name; nil where the file is not to be kept.
    static func write(
        in folder: FilePath, permissions: FilePermissions, _ body: (FileDescriptor) throws -> FilePath?
    ) throws {
        let (file, path) = try open(in: folder)
        do {
            let target = try file.closeAfter {
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

    /// The system names it, so that no two writers meet.
    private static func open(in folder: FilePath) throws(Errno) -> (FileDescriptor, FilePath) {
        // POSIX, mkstemp: the six X are what the system fills in.
        var template = Array(folder.appending(prefix + "XXXXXX").string.utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return (FileDescriptor(rawValue: descriptor), FilePath(platformString: template))
    }
}

extension FileDescriptor {
    /// Sets who may read it, and waits until it is on the disk.
    func finish(_ permissions: FilePermissions) throws(Errno) {
        try Errno.check(fchmod(rawValue, permissions.rawValue))
        try Errno.check(fsync(rawValue))
    }
}

extension FilePath {
    /// Makes the folder where there is none, and has its parent know it.
    func createFolder() throws(Errno) {
        guard withPlatformString({ mkdir($0, 0o755) }) != 0 else { return try removingLastComponent().syncFolder() }
        let error = Errno(rawValue: errno)
        guard error == .fileExists else { throw error }
    }

    /// Waits until the names in the folder are on the disk.
    func syncFolder() throws(Errno) {
        do {
            let folder = try FileDescriptor.open(self, .readOnly, options: [.directory, .closeOnExec])
            try folder.closeAfter {
                // Some file systems cannot, and need not, be asked for it.
                guard fsync(folder.rawValue) == 0 || errno == EINVAL else { throw Errno(rawValue: errno) }
            }
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
    static func check(_ result: CInt) throws(Errno) {
        guard result == 0 else { throw Errno(rawValue: errno) }
    }
}
