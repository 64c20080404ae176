package import Foundation
import InAppPurchase
package import Ledger

/// Seals an audit trail and signs checkpoints of it. Several sealers may work on one trail; each row is sealed once.
package struct Sealer: Sendable {
    /// The maximum number of rows sealed in one transaction: receipts wait for it, less than a tenth of a second.
    package static let batch = 500
    /// The maximum number of batches in one round: after an outage, or on a trail that was never sealed, the rest waits
    /// for the next.
    package static let batchesPerRound = 100
    /// The age at which a checkpoint is due, in seconds: whoever can write to the file can forge rows that are not
    /// signed for.
    package static let checkpointTime: TimeInterval = 60
    /// The number of rows at which a checkpoint is due: as many as one can read after a fault between two checkpoints.
    package static let checkpointRows = 10_000

    private let trail: any AuditLedger
    private let key: AuditKey
    private let onCut: @Sendable (AuditRow) -> Void

    /// - Parameter onCut: called with the row which records that the trail's end was cut off, when that row is sealed.
    package init(_ trail: any AuditLedger, key: AuditKey, onCut: @escaping @Sendable (AuditRow) -> Void = { _ in }) {
        self.trail = trail
        self.key = key
        self.onCut = onCut
    }

    /// Runs one round: seals all rows without a seal, and signs a checkpoint if one is due.
    ///
    /// - Parameter isLast: if `true`, a checkpoint is due in any case.
    /// - Returns: the checkpoint, if one was added.
    package func seal(at date: Date, isLast: Bool = false) async throws -> Checkpoint? {
        for _ in 0..<Self.batchesPerRound {
            let count = try await trail.sealRows(atMost: Self.batch, at: date) { [onCut] row, last in
                if row.kind == AuditEntry.Kind.trailCut.rawValue { onCut(row) }
                return Seal(row, after: last?.place)
            }
            guard count == Self.batch else { break }
        }
        return try await trail.addCheckpoint { seal, earlier in
            try isLast || Self.isDue(seal, after: earlier, at: date) ? key.checkpoint(of: seal, at: date) : nil
        }
    }

    private static func isDue(_ seal: Seal, after earlier: Checkpoint?, at date: Date) -> Bool {
        guard let earlier else { return true }
        // A clock that was set back must not suppress checkpoints until it has caught up.
        let time = abs(date.timeIntervalSince(earlier.date))
        return time >= checkpointTime || seal.position.saturatingAdding(-checkpointRows) >= earlier.position
    }
}
