package import Foundation
import InAppPurchase
package import Ledger

/// Verifies an audit trail item by item, in the order of ``/Ledger/AuditLedger/readTrail(after:into:_:)`` and of an
/// export. A value: it needs no storage, and memory only for gaps in the rows' sequence.
package struct TrailVerifier: Sendable {
    private let keys: [String: AuditVerifyingKey]
    /// The checkpoints to be found, by position; those found in the chain are removed.
    private var checkpoints: [Int: [Checkpoint]]
    private var place: ChainPosition?
    private var sealed = RangeSet<Int>()
    private var newestUnsealed: Int?
    /// The rows without content that no row has named so far.
    private var unnamed = RangeSet<Int>()
    private var checkpointBeyond: Checkpoint?
    private var highestGiven: Int?
    private(set) var summary = TrailSummary()

    /// - Parameters:
    ///   - keys: the keys trusted to sign checkpoints.
    ///   - kept: checkpoints from elsewhere, each of which must be part of the chain.
    package init(keys: [AuditVerifyingKey], kept: [Checkpoint] = []) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
        self.checkpoints = Dictionary(grouping: kept, by: \.position)
    }

    /// - Throws: ``/Ledger/TrailError`` for the first item that is wrong.
    package mutating func verify(_ item: TrailItem) throws(TrailError) {
        switch item {
        case .beginning(let place): try begin(after: place)
        case .row(let row, let seal?): try verify(row, seal)
        case .row(let row, nil): try verifyUnsealed(row)
        case .rowless(let seal):
            try require(seal.position)
            throw TrailError(.position(seal.position), "its row \(seal.sequence) is gone")
        case .checkpoint(let checkpoint): try verify(checkpoint)
        case .end(let highest): highestGiven = highest
        }
    }

    /// Call it after the last item.
    ///
    /// - Throws: ``/Ledger/TrailError`` if the chain ends before a checkpoint, if the trail ends before the highest
    ///   number that was given, or if a content is missing that no erasure names.
    package func finish() throws(TrailError) -> TrailSummary {
        let beyond = checkpoints.values.joined().min { $0.position < $1.position }
        if let missing = checkpointBeyond ?? beyond {
            throw TrailError(
                .checkpoint(position: missing.position), "the chain ends before it, at position \(summary.position)")
        }
        try requireWholeEnd()
        if let row = unnamed.ranges.first?.lowerBound {
            throw TrailError(.row(sequence: row), "its content is erased, and no row tells of it")
        }
        return summary
    }

    // MARK: Rows

    private mutating func begin(after place: ChainPosition?) throws(TrailError) {
        (self.place, summary.position, summary.firstPosition) = (place, place?.position ?? 0, place?.position)
        guard let place else { return }
        summary.hash = place.hash
        if let early = checkpoints.keys.filter({ $0 < place.position }).min() {
            throw TrailError(.checkpoint(position: early), "stored elsewhere, but this part begins after it")
        }
        try verifyErased(at: place)
    }

    private mutating func verify(_ row: AuditRow, _ seal: Seal) throws(TrailError) {
        try require(seal.position)
        let fault = { (reason: String) in TrailError(.position(seal.position), "row \(row.sequence) \(reason)") }
        guard newestUnsealed == nil else { throw fault("is sealed, but comes after one that is not") }
        guard !sealed.contains(row.sequence) else { throw fault("is sealed a second time") }
        guard Seal(row, after: place) == seal else { throw fault("or its seal was changed") }
        guard row.contentFits else { throw fault("has another content than was recorded") }
        try count(row)
        (place, summary.position, summary.sealed) = (seal.place, seal.position, summary.sealed + 1)
        summary.hash = seal.hash
        if row.sequence < .max { sealed.insert(contentsOf: row.sequence..<row.sequence + 1) }
        try verifyErased(at: seal.place)
    }

    /// Verifies a row without a seal, which must be newer than all sealed ones: the sealer has not reached it yet.
    private mutating func verifyUnsealed(_ row: AuditRow) throws(TrailError) {
        let newest = newestUnsealed ?? sealed.ranges.last.map { $0.upperBound - 1 }
        guard newest.map({ $0 < row.sequence }) ?? true else {
            throw TrailError(.row(sequence: row.sequence), "has no seal, though newer ones have")
        }
        guard row.contentFits else {
            throw TrailError(.row(sequence: row.sequence), "has another content than was recorded")
        }
        try count(row)
        (newestUnsealed, summary.unsealed) = (row.sequence, summary.unsealed + 1)
    }

    /// Counts a row, and matches erasures: the row that names erased ones comes after all of them.
    private mutating func count(_ row: AuditRow) throws(TrailError) {
        guard row.kind != AuditEntry.Kind.trailCut.rawValue else {
            throw TrailError(.row(sequence: row.sequence), "tells that rows before it were cut off")
        }
        guard let content = row.content else {
            summary.erased += 1
            if row.sequence < .max { unnamed.insert(contentsOf: row.sequence..<row.sequence + 1) }
            return
        }
        guard row.kind == AuditEntry.Kind.contentErased.rawValue else { return }
        guard let named = ErasedRows(content: content) else {
            throw TrailError(.row(sequence: row.sequence), "tells of an erasure, and names no rows")
        }
        for range in named.ranges { unnamed.remove(contentsOf: Range(range.clamped(to: Int.min...(.max - 1)))) }
    }

    /// Detects a trail whose end was cut off: the highest number that was given is stored elsewhere.
    private func requireWholeEnd() throws(TrailError) {
        let last = max(sealed.ranges.last.map { $0.upperBound - 1 } ?? 0, newestUnsealed ?? 0)
        // The verified part may be empty, after the last row.
        let isEmptyPart = summary.firstPosition != nil && summary.sealed + summary.unsealed == 0
        guard let highestGiven, last < highestGiven, !isEmptyPart else { return }
        throw TrailError(.row(sequence: highestGiven), "is gone: the trail ends with row \(last)")
    }

    /// - Throws: ``/Ledger/TrailError`` if this position is not the next.
    private func require(_ position: Int) throws(TrailError) {
        let next = summary.position.saturatingAdding(1)
        if position < next { throw TrailError(.position(position), "stands where position \(next) belongs") }
        if position > next { throw TrailError(.position(next), "is missing") }
    }

    // MARK: Checkpoints

    private mutating func verify(_ checkpoint: Checkpoint) throws(TrailError) {
        guard newestUnsealed == nil else {
            throw TrailError(.checkpoint(position: checkpoint.position), "comes after a row without a seal")
        }
        // The chain may still turn out to have an earlier fault.
        if checkpoint.position > summary.position {
            checkpointBeyond = checkpointBeyond ?? checkpoint
            return
        }
        guard let place, place.position == checkpoint.position else {
            throw TrailError(.checkpoint(position: checkpoint.position), "has no seal at its position")
        }
        try check(checkpoint, at: place)
        (summary.checkpoints, summary.lastCheckpoint) = (summary.checkpoints + 1, checkpoint)
    }

    private mutating func verifyErased(at place: ChainPosition) throws(TrailError) {
        guard let kept = checkpoints.removeValue(forKey: place.position) else { return }
        for checkpoint in kept { try check(checkpoint, at: place) }
        summary.knownCheckpoints += kept.count
    }

    private func check(_ checkpoint: Checkpoint, at place: ChainPosition) throws(TrailError) {
        let fault = { (reason: String) in TrailError(.checkpoint(position: checkpoint.position), reason) }
        guard checkpoint.hash == place.hash else { throw fault("names another hash than the chain has") }
        guard let key = keys[checkpoint.key] else { throw fault("is signed by a key that is not known") }
        guard key.signed(checkpoint) else { throw fault("its signature is wrong") }
    }
}

/// The result of a verification of the audit trail.
package struct TrailSummary: Sendable, Hashable {
    /// The numbers of sealed rows, and of rows that are not sealed yet.
    package var sealed = 0
    package var unsealed = 0
    /// The number of rows whose content was erased; its hash remains.
    package var erased = 0
    /// The position of the last seal.
    package var position = 0
    /// The hash of the last seal; `nil` if nothing was sealed.
    package var hash: Data?
    /// The position before the first one that was verified; `nil` if the trail was verified from its beginning.
    package var firstPosition: Int?
    package var checkpoints = 0
    package var lastCheckpoint: Checkpoint?
    /// The number of checkpoints from elsewhere that are part of the chain.
    package var knownCheckpoints = 0

    /// The end of the chain; `nil` if nothing was sealed.
    package var place: ChainPosition? { hash.map { ChainPosition(position: position, hash: $0) } }
}
