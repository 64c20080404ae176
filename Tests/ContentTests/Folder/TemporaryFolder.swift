import Content
import Foundation

/// A folder of its own for one test, gone after it.
final class TemporaryFolder {
    /// Long after anything was written, so that every stamp counts as final.
    static let later = Date(timeIntervalSince1970: 4_000_000_000)

    /// Long before anything was written, so that every stamp counts as final, and every version as one that is still
    /// being copied.
    static let before = Date(timeIntervalSince1970: 1_000_000_000)

    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path(percentEncoded: false) }

    func path(_ relative: String) -> String { url.appending(path: relative).path(percentEncoded: false) }

    func write(_ text: String, to relative: String) throws {
        let file = url.appending(path: relative)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func createFolder(_ relative: String) throws {
        try FileManager.default.createDirectory(at: url.appending(path: relative), withIntermediateDirectories: true)
    }

    func remove(_ relative: String) throws { try FileManager.default.removeItem(at: url.appending(path: relative)) }

    /// Writes in place, like an editor without a temporary file: the inode stays.
    func overwrite(_ relative: String, with text: String) throws {
        let file = try FileHandle(forWritingTo: url.appending(path: relative))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    func setModificationDate(_ relative: String, to date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path(relative))
    }

    func store(at date: Date = later, published: [Manifest] = []) async throws -> FolderRepository {
        try await FolderRepository(path: path, published: published, at: date)
    }
}
