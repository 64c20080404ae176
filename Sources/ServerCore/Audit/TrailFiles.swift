package import AuditSeal
import Foundation
package import Ledger
import ServerHTTP

/// Reads audit trails, keys and checkpoints from files.
package enum TrailFiles {
    /// Keys are some hundred bytes each; a larger file is not a file of keys.
    package static let maximumBytes = 16 << 20
    /// Log lines of a checkpoint a minute for a year and a half.
    static let maximumCheckpointBytes = 256 << 20

    /// - Parameter progress: called with the number of lines verified so far.
    /// - Throws: ``CommandError`` that names the file and the first line that does not verify.
    package static func verify(
        _ path: String, keys: [AuditVerifyingKey]?, kept: [Checkpoint], progress: (Int) -> Void = { _ in }
    ) throws -> TrailSummary {
        guard let file = FileHandle(forReadingAtPath: path) else { throw CommandError("\(path): cannot be read") }
        do {
            var verifier = Counted(ExportVerifier(keys: keys, kept: kept))
            var lines = LineReader(file)
            while let line = try lines.next() {
                try verifier.value.verify(line)
                verifier.count(progress)
            }
            return try verifier.value.finish()
        } catch {
            throw CommandError("\(path): \(error)")
        }
    }

    /// - Throws: ``CommandError`` if the file has no key that can verify a checkpoint.
    package static func keys(_ path: String) throws -> [AuditVerifyingKey] {
        do {
            let keys = try JSONDecoder().decode(JSONWebKeySet.self, from: try read(path)).verifying()
            guard !keys.isEmpty else { throw CommandError("\(path): there is no Ed25519 key in it") }
            return keys
        } catch let error as DecodingError {
            throw CommandError("\(path): no JWK Set, as GET /v1/keys answers it: \(error.explanation)")
        } catch let error as AuditKeyError {
            throw CommandError("\(path): \(error)")
        }
    }

    /// Reads one or more checkpoints, one on a line. A single one may be JSON on several lines.
    ///
    /// - Throws: ``CommandError`` for the first line that is no checkpoint, and for a file that is too large to be read
    ///   as a whole: the checkpoints at its end matter most.
    package static func checkpoints(_ path: String) throws -> [Checkpoint] {
        let text = String(decoding: try read(path, upTo: maximumCheckpointBytes), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.allSatisfy(\.isWhitespace) }
        guard !lines.isEmpty else { throw CommandError("\(path): there is no checkpoint in it") }
        if lines.first?.element == "{", let only = Checkpoint(kept: text) { return [only] }
        return try lines.map { number, line in
            guard let checkpoint = Checkpoint(kept: String(line)) else {
                throw CommandError("\(path): line \(number + 1) is no checkpoint")
            }
            return checkpoint
        }
    }

    private static func read(_ path: String, upTo limit: Int = maximumBytes) throws -> Data {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: limit + 1) else {
            throw CommandError("\(path): cannot be read, or is empty")
        }
        guard data.count <= limit else { throw CommandError("\(path): is larger than \(limit) bytes") }
        return data
    }
}

/// Reads a file line by line.
struct LineReader {
    /// In bytes, more than the row of any receipt that is accepted.
    static let maximumBytes = 64 << 20
    private static let chunk = 1 << 16

    private let file: FileHandle
    private var buffer = Data()

    init(_ file: FileHandle) { self.file = file }

    /// The next line without its line feed; `nil` at the end.
    ///
    /// - Throws: ``CommandError`` for a line that is too long, or that the end of the file cuts off.
    mutating func next() throws -> Data? {
        var searched = buffer.startIndex
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = buffer[buffer.index(after: end)...] }
                return Data(buffer[..<end])
            }
            guard buffer.count <= Self.maximumBytes else { throw CommandError("a line is too long") }
            guard let more = try file.read(upToCount: Self.chunk), !more.isEmpty else {
                guard buffer.isEmpty else { throw CommandError("the last line is cut off") }
                return nil
            }
            // A copy, since a slice keeps everything that was read before it in memory.
            if buffer.startIndex > 0 { buffer = Data(buffer) }
            searched = buffer.endIndex
            buffer.append(more)
        }
    }
}
