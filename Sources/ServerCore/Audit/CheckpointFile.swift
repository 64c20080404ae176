import AuditSeal
import Dispatch
import Foundation
import Ledger
import ServerHTTP
import SystemPackage

/// The file that checkpoints of the audit trail are appended to, one on a line as in an export, and nothing else.
///
/// Whoever can write to the ledger can rewrite its trail, but not what was copied from this file meanwhile. Each server
/// has a file of its own, with the checkpoints that it signed.
package final class CheckpointFile: Sendable {
    /// In bytes, about two months of a line a minute. A full file is renamed to `<path>.1`, replacing the one before.
    static let maximumBytes = 16 << 20
    /// Not secret: log collectors may read it.
    private static let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    /// In bytes, more than a line has.
    private static let maximumLineLength = 4_096

    let path: String
    private let limit: Int
    /// A queue of its own, since a write blocks until it is on the disk.
    private let queue = DispatchQueue(label: "quartermaster.checkpoints")

    /// - Parameters:
    ///   - path: the file, which is created with the first checkpoint.
    ///   - limit: its maximum size in bytes.
    init(_ path: String, limit: Int = maximumBytes) {
        self.path = path
        self.limit = limit
    }

    /// Appends a line. It is on the disk when this returns.
    ///
    /// - Throws: `Errno` if the file cannot be written.
    func append(_ checkpoint: Checkpoint) async throws {
        let line = try ExportLine.checkpoint(checkpoint).encoded() + Data([UInt8(ascii: "\n")])
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try self.write(line) }) }
        }
    }

    /// Checks that a line could be appended now; creates the file if there is none.
    ///
    /// - Throws: `Errno` if it could not.
    func check() throws { try open().close() }

    private func write(_ line: Data) throws {
        let file = try open()
        let isFull = try file.closeAfter {
            // First, so that a full file is put aside whole.
            try Self.cutTornLine(of: file, Int(clamping: try file.seek(offset: 0, from: .end)))
            let size = Int(clamping: try file.seek(offset: 0, from: .end))
            guard size == 0 || size + line.count <= limit else { return true }
            try Self.add(line, to: file)
            return false
        }
        guard isFull else { return }
        guard rename(path, path + ".1") == 0 else { throw Errno(rawValue: errno) }
        let next = try open()
        try next.closeAfter { try Self.add(line, to: next) }
    }

    private static func add(_ line: Data, to file: FileDescriptor) throws {
        try file.writeAll(line)
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Removes a line that a power failure cut off: it proves nothing, and would be read as a damaged checkpoint.
    private static func cutTornLine(of file: FileDescriptor, _ size: Int) throws {
        let start = max(0, size - maximumLineLength)
        let end = try [UInt8](unsafeUninitializedCapacity: size - start) { buffer, count in
            count = try file.read(fromAbsoluteOffset: Int64(start), into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard let last = end.last, last != UInt8(ascii: "\n") else { return }
        let whole = end.lastIndex(of: UInt8(ascii: "\n")).map { start + $0 + 1 } ?? start
        try file.resize(to: Int64(whole))
    }

    private func open() throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.append, .create, .closeOnExec], permissions: Self.permissions)
    }
}
