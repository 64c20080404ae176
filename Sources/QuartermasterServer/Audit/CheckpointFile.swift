import AuditSeal
import Dispatch
import Foundation
import InAppPurchase
import SystemPackage

/// The file that the audit trail's checkpoints are appended to, one a line as in an export, and nothing else.
///
/// Who can write the ledger can write its trail anew, but not what was copied from this file meanwhile. Each server has a
/// file of its own, with the checkpoints that it signed.
final class CheckpointFile: Sendable {
    /// About two months of a line a minute. A full file becomes `<path>.1`, in place of the one before.
    static let maximumBytes = 16 << 20
    /// No secret: whoever collects logs may read it.
    private static let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    /// More than a line has.
    private static let maximumLineLength = 4_096

    let path: String
    private let limit: Int
    /// Writing blocks until the disk has it.
    private let queue = DispatchQueue(label: "quartermaster.checkpoints")

    /// - Parameters:
    ///   - path: of the file; it is made with the first checkpoint.
    ///   - limit: bytes that it may have.
    init(_ path: String, limit: Int = maximumBytes) {
        self.path = path
        self.limit = limit
    }

    /// Adds a line. It is on the disk when this returns.
    ///
    /// - Throws: `Errno` where the file cannot be written.
    func append(_ checkpoint: Checkpoint) async throws {
        let line = try ExportLine.checkpoint(checkpoint).encoded() + Data([UInt8(ascii: "\n")])
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try self.write(line) }) }
        }
    }

    /// Whether a line could be added now; makes the file where there is none.
    ///
    /// - Throws: `Errno` where it could not.
    func check() throws { try open().close() }

    private func write(_ line: Data) throws {
        let file = try open()
        let isFull = try file.closeAfter {
            let size = Int(clamping: try file.seek(offset: 0, from: .end))
            guard size == 0 || size + line.count <= limit else { return true }
            try Self.cutTornLine(of: file, size)
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

    /// Removes what a failure of power left of a line: it proves nothing, and would be taken for a damaged checkpoint.
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
