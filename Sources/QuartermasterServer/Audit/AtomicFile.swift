import Foundation
import InAppPurchase

/// A file that appears when all of it is written.
enum AtomicFile {
    /// Readable by its owner only. What stood under the name is replaced.
    ///
    /// - Throws: ``CommandError`` where it cannot be written, and what `body` throws; nothing is left then.
    static func write(_ path: String, _ body: (FileHandle) async throws -> Void) async throws {
        let temporary = "\(path).\(UUID().text)"
        guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: temporary)
        else { throw CommandError("\(path): cannot be written: \(systemError)") }
        do {
            try await body(file)
            try file.synchronize()
            try file.close()
            guard rename(temporary, path) == 0 else {
                throw CommandError("\(path): cannot be written: \(systemError)")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error is CommandError || error is TrailError || error is LedgerUnavailable
                ? error : CommandError("\(path): cannot be written: \(error.localizedDescription)")
        }
    }

    private static var systemError: String { String(cString: strerror(errno)) }
}
