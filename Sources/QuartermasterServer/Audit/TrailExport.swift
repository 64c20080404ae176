import AuditSeal
import Foundation
import InAppPurchase

extension Ledger {
    /// Writes the rows with a greater sequence number, and what proves them, as JSON Lines.
    ///
    /// - Parameter progress: called with how many lines were written so far.
    func exportTrail(
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

    /// Checks every row, seal and checkpoint.
    ///
    /// - Parameters:
    ///   - trusted: the keys to trust; nil for those that the ledger has.
    ///   - progress: called with how many rows and checkpoints were checked so far.
    /// - Throws: `TrailError` for the first that does not fit.
    func verifyTrail(
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

/// Writes an export, some lines at a time.
private struct TrailWriter: Sendable {
    /// Fewer writes than rows, and little memory.
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
        case .rowless(let seal):
            throw TrailError(.position(seal.position), "its row \(seal.sequence) is gone")
        }
    }

    mutating func finish() throws {
        // That rows are gone must not be forgotten on the way.
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
