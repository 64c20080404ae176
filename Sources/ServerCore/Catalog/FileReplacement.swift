import Basics
import Foundation
import ServerHTTP
import SystemPackage

/// Replaces a file's content atomically, also if the power fails: the new content is written to a file beside it, which
/// is renamed.
struct FileReplacement {
    /// The file itself, not a symbolic link to it.
    let target: FilePath

    /// The file beside it, always of the same name, so that one that a killed process left is removed. One editor at a
    /// time writes it.
    private var temporary: FilePath {
        let name = target.lastComponent?.string ?? "catalog"
        return target.removingLastComponent().appending(".\(name).new")
    }

    /// The file that the path leads to, with every symbolic link resolved.
    /// - Throws: `Errno`
    static func resolve(_ path: String) throws -> FilePath {
        guard let resolved = realpath(path, nil) else { throw Errno(rawValue: errno) }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }

    /// - Returns: whether the disk confirmed the rename; the file is replaced either way.
    /// - Throws: `Errno`; the file is then unchanged.
    func write(_ bytes: Data) throws -> Bool {
        let old = try target.stat()
        try? remove(temporary)
        do {
            let file = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll(bytes)
                try copyAttributes(old, file)
                try check(fsync(file.rawValue))
            }
            try check(temporary.withPlatformString { from in target.withPlatformString { rename(from, $0) } })
        } catch {
            try? remove(temporary)
            throw error
        }
        return confirmRename()
    }

    /// Gives the new file the owner, group and permissions of the old one.
    private func copyAttributes(_ old: Stat, _ file: FileDescriptor) throws {
        let owner = FileOwner(user: old.userID.rawValue, group: old.groupID.rawValue)
        guard owner.takeOver(file.rawValue) else { throw Errno(rawValue: errno) }
        try check(fchmod(file.rawValue, old.permissions.rawValue))
    }

    private func confirmRename() -> Bool {
        let folder = try? FileDescriptor.open(
            target.removingLastComponent(), .readOnly, options: [.directory, .closeOnExec])
        guard let folder else { return false }
        defer { try? folder.close() }
        // Some file systems do not support, and do not need, `fsync` of a folder.
        return fsync(folder.rawValue) == 0 || errno == EINVAL
    }

    private func remove(_ path: FilePath) throws { try check(path.withPlatformString { unlink($0) }) }

    private func check(_ result: CInt) throws { guard result == 0 else { throw Errno(rawValue: errno) } }
}

extension CatalogRefusal {
    /// The refusal for a file that cannot be written, with advice.
    static func notWritable(_ error: Errno) -> CatalogRefusal {
        let advice =
            switch error {
            case .resourceBusy: "it is mounted as a single file; mount its folder instead"
            case .readOnlyFileSystem: "its file system is mounted read-only; edit the file where it comes from"
            case .permissionDenied, .notPermitted:
                "the user of this process must own the file, or be root, and may write to its folder"
            case .noSpace, .diskQuotaExceeded: "free space on its disk"
            default: "look at its folder and its disk"
            }
        return .notWritable("the catalog cannot be replaced: \(error); \(advice)")
    }
}
