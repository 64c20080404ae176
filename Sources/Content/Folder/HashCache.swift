import Foundation
import SystemPackage

/// A cache of file hashes, carried from one scan to the next for files whose stamp has not changed.
struct HashCache: Sendable {
    private struct Entry: Sendable {
        let stamp: FileStamp
        let sha256: String
        let isSettled: Bool
    }

    /// How many files had to be read in this scan.
    private(set) var readFiles = 0
    /// Whether all hashes are valid for as long as the stamps stay the same.
    private(set) var isSettled = true

    private let date: Date
    private let before: [FilePath: Entry]
    private var now: [FilePath: Entry] = [:]

    /// - Parameters:
    ///   - earlier: the cache of the previous scan; entries that this scan does not ask for are dropped.
    ///   - date: the time of this scan.
    init(after earlier: HashCache? = nil, at date: Date) {
        before = earlier?.now ?? [:]
        self.date = date
    }

    /// The SHA-256 of the file with this stamp; the file is read only if the hash is not cached.
    mutating func sha256(of path: FilePath, stamp: FileStamp) throws(ContentError) -> String {
        let sha256: String
        if let known = before[path], known.stamp == stamp, known.isSettled {
            sha256 = known.sha256
        } else {
            sha256 = try FileDigest.sha256(of: path, stamp: stamp)
            readFiles += 1
        }
        let entry = Entry(stamp: stamp, sha256: sha256, isSettled: stamp.isSettled(at: date))
        now[path] = entry
        isSettled = isSettled && entry.isSettled
        return sha256
    }

    /// Whether the object's bytes have the hash of its name. They had it when the object was written, and objects are
    /// immutable: it is read only if its stamp has changed since the previous scan.
    mutating func isUntouched(_ path: FilePath, stamp: FileStamp, sha256: String) throws(ContentError) -> Bool {
        guard now[path]?.stamp != stamp else { return now[path]?.sha256 == sha256 }
        if let known = before[path], known.stamp != stamp {
            now[path] = Entry(stamp: stamp, sha256: try FileDigest.sha256(of: path, stamp: stamp), isSettled: true)
            readFiles += 1
        } else {
            now[path] = before[path] ?? Entry(stamp: stamp, sha256: sha256, isSettled: true)
        }
        return now[path]?.sha256 == sha256
    }
}
