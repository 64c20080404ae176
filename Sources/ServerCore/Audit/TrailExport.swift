package import AuditSeal
package import Foundation
package import Ledger
import ServerHTTP

extension Ledger {
    /// Exports the rows with a greater sequence number, and what proves them, as JSON Lines.
    ///
    /// - Parameter progress: called with the number of lines written so far.
    package func exportTrail(
        after sequence: Int, to file: FileHandle, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        let keys = try await AuditKeys.verifying(in: self)
        let begun = Counted(TrailWriter(file, keys: keys))
        var writer = try await readTrail(after: sequence, into: begun) { writer, item in
            try writer.value.write(item)
            writer.count(progress)
        }
        try writer.value.finish()
    }

    /// Verifies every row, seal and checkpoint.
    ///
    /// - Parameters:
    ///   - trusted: the keys to trust; `nil` for those of the ledger.
    ///   - progress: called with the number of rows and checkpoints verified so far.
    /// - Throws: `TrailError` for the first mismatch.
    package func verifyTrail(
        keys trusted: [AuditVerifyingKey]? = nil, kept: [Checkpoint] = [],
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> TrailSummary {
        let keys: [AuditVerifyingKey]
        if let trusted { keys = trusted } else { keys = try await AuditKeys.verifying(in: self) }
        let begun = Counted(TrailVerifier(keys: keys, kept: kept))
        return try await readTrail(after: 0, into: begun) { verifier, item in
            try verifier.value.verify(item)
            verifier.count(progress)
        }.value.finish()
    }
}

/// Writes an export in chunks of several lines.
private struct TrailWriter: Sendable {
    /// In bytes. Fewer writes than rows, and little memory.
    private static let chunk = 1 << 16

    private let file: FileHandle
    private let keys: [AuditVerifyingKey]
    private var buffer = Data()
    private var lines = 0
    private var lastSequence = 0
    private var highestGiven: Int?

    init(_ file: FileHandle, keys: [AuditVerifyingKey]) {
        self.file = file
        self.keys = keys
    }

    mutating func write(_ item: TrailItem) throws {
        switch item {
        case .beginning(let place):
            try append(.export(after: place))
            for key in keys { try append(.key(key)) }
        case .row(let row, let seal):
            try append(.row(row, seal))
            lastSequence = max(lastSequence, row.sequence)
        case .end(let highest): highestGiven = highest
        case .checkpoint(let checkpoint): try append(.checkpoint(checkpoint))
        case .rowless(let seal): throw TrailError(.position(seal.position), "its row \(seal.sequence) is gone")
        }
    }

    mutating func finish() throws {
        // The export must record that rows at the end are gone.
        let missing = lastSequence > 0 ? highestGiven.flatMap { $0 > lastSequence ? $0 : nil } : nil
        try append(.end(lines: lines, highest: missing))
        try file.write(contentsOf: buffer)
    }

    private mutating func append(_ line: ExportLine) throws {
        buffer.append(try line.encoded())
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
        guard buffer.count >= Self.chunk else { return }
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
