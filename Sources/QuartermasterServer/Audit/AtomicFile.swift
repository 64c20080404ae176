import Foundation
import InAppPurchase
import Ledger

/// Atomic writes: a file appears when all of it is written.
enum AtomicFile {
    /// Writes a file that only its owner can read, replacing an existing one.
    ///
    /// - Throws: ``CommandError`` if it cannot be written, and what `body` throws; nothing is left then.
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
