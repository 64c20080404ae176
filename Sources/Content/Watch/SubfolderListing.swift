import Foundation
import SystemPackage

/// The folders in a folder, without asking for the properties of every file in it.
enum SubfolderListing {
    /// The paths of the folders, not of links to folders. Empty if the folder is gone.
    ///
    /// - Throws: the system's error if the folder cannot be read.
    static func subfolders(of folder: FilePath) throws(Errno) -> [FilePath] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else {
            let error = Errno(rawValue: errno)
            if error == .noSuchFileOrDirectory { return [] }
            throw error
        }
        defer { closedir(stream) }
        var found: [FilePath] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw Errno(rawValue: errno) }
                return found
            }
            guard let name = name(of: entry), name.kind == .regular else { continue }
            let path = folder.appending(name)
            if isFolder(entry, at: path) { found.append(path) }
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> FilePath.Component? {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
        let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CInterop.PlatformChar.self)
        return FilePath.Component(platformString: name)
    }

    private static func isFolder(_ entry: UnsafeMutablePointer<dirent>, at path: FilePath) -> Bool {
        guard Int(entry.pointee.d_type) == Int(DT_UNKNOWN) else { return Int(entry.pointee.d_type) == Int(DT_DIR) }
        // Some file systems do not report the type with the name.
        return (try? path.stat(followTargetSymlink: false))?.type == .directory
    }
}
