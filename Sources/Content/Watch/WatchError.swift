import SystemPackage

/// The reason why changes of the content folder are not reported.
enum WatchError: Error, Hashable, CustomStringConvertible {
    /// The folder is on a file system of this type, or has one in it.
    case fileSystem(String)
    case tooManyFolders(limit: Int)
    /// The system does not list its file systems.
    case noMounts
    /// The system's error, at a folder or at none.
    case refused(FilePath?, Errno)

    var description: String {
        switch self {
        case .fileSystem(let type): "a file system of the type \(type) does not tell of all changes"
        case .tooManyFolders(let limit): "more than \(limit) folders"
        case .noMounts: "the file systems are not listed in /proc"
        case .refused(_, .noSpace): "no watches are left, see fs.inotify.max_user_watches"
        case .refused(_, .tooManyOpenFiles): "no instances are left, see fs.inotify.max_user_instances"
        case .refused(let folder, let error): folder.map { "\($0): \(error)" } ?? "\(error)"
        }
    }
}
