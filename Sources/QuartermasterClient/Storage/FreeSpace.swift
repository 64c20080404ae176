import Foundation

/// The free space of a disk.
enum FreeSpace {
    /// The bytes that are free for the app where the folder is, or `nil` if that is not known.
    static func bytes(at folder: URL) -> Int? {
        #if canImport(Darwin)
            let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
            return values?.volumeAvailableCapacityForImportantUsage.map { Int(clamping: $0) }
        #else
            return folder.withUnsafeFileSystemRepresentation { path in path.flatMap(platformFreeBytes) }
        #endif
    }
}
