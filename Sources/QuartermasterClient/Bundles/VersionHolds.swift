import Foundation

/// Counts the readers of each version, and removes an old one with its last reader.
///
/// `@unchecked Sendable`: `counts` and `old` are read and written with `lock` held alone.
final class VersionHolds: @unchecked Sendable {
    /// Keeps the folder of a version on disk as long as it exists.
    final class Hold: Sendable {
        fileprivate let folder: String
        private let holds: VersionHolds

        fileprivate init(_ folder: String, _ holds: VersionHolds) {
            self.folder = folder
            self.holds = holds
        }

        deinit { holds.end(folder) }
    }

    private let lock = NSLock()
    private var counts: [String: Int] = [:]
    private var old: Set<String> = []

    func hold(_ folder: URL) -> Hold {
        lock.withLock { counts[folder.path, default: 0] += 1 }
        return Hold(folder.path, self)
    }

    func isHeld(_ folder: URL) -> Bool { lock.withLock { counts[folder.path] != nil } }

    /// Marks the version as no longer installed: it is removed with its last hold. One without any is removed at the
    /// next start, since its files may still be open.
    func retire(_ folder: URL) {
        lock.withLock { if counts[folder.path] != nil { old.insert(folder.path) } }
    }

    private func end(_ folder: String) {
        let isUnneeded = lock.withLock {
            let count = (counts[folder] ?? 1) - 1
            counts[folder] = count > 0 ? count : nil
            return count <= 0 && old.remove(folder) != nil
        }
        // The last value may end on the main thread.
        guard isUnneeded else { return }
        DispatchQueue.global(qos: .utility).async { try? FileManager.default.removeItem(atPath: folder) }
    }
}
