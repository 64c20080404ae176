import Foundation
import SystemPackage

/// What tells without reading it that a file is still the same: its size, time of modification and inode.
struct FileStamp: Hashable, Sendable {
    /// A file written to less than this before it was looked at may be written to again without a new time: a file
    /// system's clock ticks slower than a processor, some (FAT) every two seconds.
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

    /// Of the regular file at the path; nil where there is none.
    init?(ofFileAt path: FilePath) {
        guard let status = try? path.stat(followTargetSymlink: false), status.type == .regular else { return nil }
        self.init(status)
    }

    /// Whether a hash taken at `date` holds for as long as the stamp does.
    func isSettled(at date: Date) -> Bool {
        abs(date.timeIntervalSince1970 - Double(seconds)) > Self.settlingTime
    }
}
