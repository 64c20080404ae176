package import Foundation
package import Ledger

/// Verifies an exported audit trail line by line.
package struct ExportVerifier: Sendable {
    private let trusted: [AuditVerifyingKey]?
    private let checkpoints: [Checkpoint]
    private var found: [AuditVerifyingKey] = []
    private var beginning: ChainPosition?
    private var verifier: TrailVerifier?
    private var lines = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - keys: the trusted keys; `nil` to use those in the export, which prove little.
    ///   - kept: checkpoints from elsewhere, each of which must be part of the chain.
    package init(keys: [AuditVerifyingKey]?, kept: [Checkpoint] = []) {
        trusted = keys
        self.checkpoints = kept
    }

    /// - Parameter line: without its line feed.
    /// - Throws: ``/Ledger/TrailError`` for the first line that is wrong.
    package mutating func verify(_ line: Data) throws(TrailError) {
        lines += 1
        let line = try ExportLine(line, number: lines)
        guard !isAtEnd else { throw fault("comes after the end") }
        switch line {
        case .export(let place):
            guard lines == 1 else { throw fault("begins a second export") }
            beginning = place
        case .key(let key):
            guard lines > 1, verifier == nil else { throw fault("is a key out of its place") }
            found.append(key)
        case .row(let row, let seal): try pass(.row(row, seal))
        case .checkpoint(let checkpoint): try pass(.checkpoint(checkpoint))
        case .end(let count, let highest):
            guard count == lines - 1 else { throw fault("counts \(count) lines where there are \(lines - 1)") }
            if let highest { try pass(.end(highest: highest)) }
            isAtEnd = true
        }
    }

    /// Call it after the last line.
    package mutating func finish() throws(TrailError) -> TrailSummary {
        guard isAtEnd else {
            lines += 1
            throw fault("is missing: the export was cut off")
        }
        return try started().finish()
    }

    private mutating func pass(_ item: TrailItem) throws(TrailError) {
        guard lines > 1 else { throw fault("is not the first line of an export") }
        var verifier = try started()
        // Moved, not copied: a second reference would cause a copy of its whole state for every row.
        self.verifier = nil
        try verifier.verify(item)
        self.verifier = verifier
    }

    private func started() throws(TrailError) -> TrailVerifier {
        if let verifier { return verifier }
        var verifier = TrailVerifier(keys: trusted ?? found, kept: checkpoints)
        try verifier.verify(.beginning(after: beginning))
        return verifier
    }

    private func fault(_ reason: String) -> TrailError { TrailError(.line(lines), reason) }
}
