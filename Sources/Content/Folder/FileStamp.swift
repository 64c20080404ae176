import Foundation
import SystemPackage

/// The size, modification time and inode of a file, which show without reading it that it has not changed.
struct FileStamp: Hashable, Sendable {
    /// If a file was modified less than this before its stamp was taken, it may be modified again without a new time: a
    /// file system's clock is coarser than a processor's, on some (FAT) two seconds.
    static let settlingTime: TimeInterval = 3

    let size: Int
    let inode: UInt64
    let seconds: Int
    let nanoseconds: Int

    init(_ status: Stat) {
        size = Int(clamping: status.size)
        inode = UInt64(status.inode.rawValue)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }

    /// The stamp of the regular file at the path; `nil` if there is none.
    init?(ofFileAt path: FilePath) {
        guard let status = try? path.stat(followTargetSymlink: false), status.type == .regular else { return nil }
        self.init(status)
    }

    /// Whether a hash computed at `date` is valid for as long as the stamp stays the same.
    func isSettled(at date: Date) -> Bool { abs(date.timeIntervalSince1970 - Double(seconds)) > Self.settlingTime }
}
