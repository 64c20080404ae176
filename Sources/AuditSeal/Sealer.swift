package import Foundation
package import InAppPurchase

/// Seals an audit trail and signs checkpoints of it. Any number may work on one trail; each row is sealed once.
package struct Sealer: Sendable {
    /// Rows sealed in one transaction: a player's receipt waits for it, less than a tenth of a second.
    package static let batch = 500
    /// Batches of one round: after an outage, or on a trail that was never sealed, the rest waits for the next.
    package static let batchesPerRound = 100
    /// Rows that are sealed and not signed for are worth nothing against who can write the file: a minute of them.
    package static let checkpointTime: TimeInterval = 60
    /// As many as one reads through by hand after a fault between two checkpoints.
    package static let checkpointRows = 10_000

    private let trail: any AuditSeals
    private let key: AuditKey
    private let onCut: @Sendable (AuditRow) -> Void

    /// - Parameter onCut: is given the row that tells that the trail's end was cut off, when that is sealed.
    package init(_ trail: any AuditSeals, key: AuditKey, onCut: @escaping @Sendable (AuditRow) -> Void = { _ in }) {
        self.trail = trail
        self.key = key
        self.onCut = onCut
    }

    /// One round: seals what has no seal, and signs for it where a checkpoint is due.
    ///
    /// - Parameter isLast: a checkpoint is due whatever came since the last one.
    /// - Returns: the checkpoint, where one was added.
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
        // A clock that was set back must not keep checkpoints away until it has caught up.
        let time = abs(date.timeIntervalSince(earlier.date))
        return time >= checkpointTime || seal.position.saturatingAdding(-checkpointRows) >= earlier.position
    }
}
