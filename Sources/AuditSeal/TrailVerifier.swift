public import Foundation
public import InAppPurchase

/// Checks an audit trail item by item, in the order in which ``AuditSeals/readTrail(after:into:_:)`` and an export give
/// them. A value: it needs no storage, and memory only for gaps in the rows' sequence.
public struct TrailVerifier: Sendable {
    private let keys: [String: AuditVerifyingKey]
    /// By position; those that were found in the chain are taken out.
    private var kept: [Int: [Checkpoint]]
    private var place: ChainPlace?
    private var sealed = RangeSet<Int>()
    private var newestUnsealed: Int?
    /// Rows without content that no row has named so far.
    private var unnamed = RangeSet<Int>()
    private var checkpointBeyond: Checkpoint?
    private var highestGiven: Int?
    private(set) var summary = TrailSummary()

    /// - Parameters:
    ///   - keys: those that are trusted to sign checkpoints.
    ///   - kept: checkpoints from elsewhere, each of which must be part of the chain.
    public init(keys: [AuditVerifyingKey], kept: [Checkpoint] = []) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
        self.kept = Dictionary(grouping: kept, by: \.position)
    }

    /// - Throws: ``TrailFault`` for the first item that does not fit.
    public mutating func take(_ item: TrailItem) throws(TrailFault) {
        switch item {
        case .beginning(let place): try begin(after: place)
        case .row(let row, let seal?): try take(row, seal)
        case .row(let row, nil): try takeUnsealed(row)
        case .rowless(let seal):
            try demand(seal.position)
            throw TrailFault(.position(seal.position), "its row \(seal.sequence) is gone")
        case .checkpoint(let checkpoint): try take(checkpoint)
        case .end(let highest): highestGiven = highest
        }
    }

    /// To be called after the last item.
    ///
    /// - Throws: ``TrailFault`` where the chain ends before a checkpoint, where the trail ends before the highest number
    ///   that was given, and where a content is gone that no row names.
    public func finish() throws(TrailFault) -> TrailSummary {
        let beyond = kept.values.joined().min { $0.position < $1.position }
        if let missing = checkpointBeyond ?? beyond {
            throw TrailFault(
                .checkpoint(position: missing.position), "the chain ends before it, at position \(summary.position)")
        }
        try demandWholeEnd()
        if let row = unnamed.ranges.first?.lowerBound {
            throw TrailFault(.row(sequence: row), "its content is erased, and no row tells of it")
        }
        return summary
    }

    // MARK: Rows

    private mutating func begin(after place: ChainPlace?) throws(TrailFault) {
        (self.place, summary.position, summary.firstPosition) = (place, place?.position ?? 0, place?.position)
        guard let place else { return }
        summary.hash = place.hash
        if let early = kept.keys.filter({ $0 < place.position }).min() {
            throw TrailFault(.checkpoint(position: early), "kept elsewhere, but this part begins after it")
        }
        try takeKept(at: place)
    }

    private mutating func take(_ row: AuditRow, _ seal: Seal) throws(TrailFault) {
        try demand(seal.position)
        let fault = { (reason: String) in TrailFault(.position(seal.position), "row \(row.sequence) \(reason)") }
        guard newestUnsealed == nil else { throw fault("is sealed, but comes after one that is not") }
        guard !sealed.contains(row.sequence) else { throw fault("is sealed a second time") }
        guard Seal(row, after: place) == seal else { throw fault("or its seal was changed") }
        guard row.contentFits else { throw fault("has another content than was recorded") }
        try count(row)
        (place, summary.position, summary.sealed) = (seal.place, seal.position, summary.sealed + 1)
        summary.hash = seal.hash
        if row.sequence < .max { sealed.insert(contentsOf: row.sequence..<row.sequence + 1) }
        try takeKept(at: seal.place)
    }

    /// A row without a seal is one that the sealer has not come to yet, so it is newer than all that are sealed.
    private mutating func takeUnsealed(_ row: AuditRow) throws(TrailFault) {
        let newest = newestUnsealed ?? sealed.ranges.last.map { $0.upperBound - 1 }
        guard newest.map({ $0 < row.sequence }) ?? true else {
            throw TrailFault(.row(sequence: row.sequence), "has no seal, though newer ones have")
        }
        guard row.contentFits else {
            throw TrailFault(.row(sequence: row.sequence), "has another content than was recorded")
        }
        try count(row)
        (newestUnsealed, summary.unsealed) = (row.sequence, summary.unsealed + 1)
    }

    /// The row that names erased ones comes after all of them: it was appended when they were there.
    private mutating func count(_ row: AuditRow) throws(TrailFault) {
        guard row.kind != AuditEntry.Kind.trailCut.rawValue else {
            throw TrailFault(.row(sequence: row.sequence), "tells that rows before it were cut off")
        }
        guard let content = row.content else {
            summary.erased += 1
            if row.sequence < .max { unnamed.insert(contentsOf: row.sequence..<row.sequence + 1) }
            return
        }
        guard row.kind == AuditEntry.Kind.contentErased.rawValue else { return }
        guard let named = ErasedRows(content: content) else {
            throw TrailFault(.row(sequence: row.sequence), "tells of an erasure, and names no rows")
        }
        for range in named.ranges { unnamed.remove(contentsOf: Range(range.clamped(to: Int.min...(.max - 1)))) }
    }

    /// Whoever cuts off the end of the tables leaves what was counted elsewhere.
    private func demandWholeEnd() throws(TrailFault) {
        let last = max(sealed.ranges.last.map { $0.upperBound - 1 } ?? 0, newestUnsealed ?? 0)
        // A part may lie behind the last row.
        let isEmptyPart = summary.firstPosition != nil && summary.sealed + summary.unsealed == 0
        guard let highestGiven, last < highestGiven, !isEmptyPart else { return }
        throw TrailFault(.row(sequence: highestGiven), "is gone: the trail ends with row \(last)")
    }

    /// - Throws: where this position is not the next.
    private func demand(_ position: Int) throws(TrailFault) {
        let next = summary.position.saturatingAdding(1)
        if position < next { throw TrailFault(.position(position), "stands where position \(next) belongs") }
        if position > next { throw TrailFault(.position(next), "is missing") }
    }

    // MARK: Checkpoints

    private mutating func take(_ checkpoint: Checkpoint) throws(TrailFault) {
        guard newestUnsealed == nil else {
            throw TrailFault(.checkpoint(position: checkpoint.position), "comes after a row without a seal")
        }
        // The chain may still turn out to have a fault before it.
        if checkpoint.position > summary.position {
            checkpointBeyond = checkpointBeyond ?? checkpoint
            return
        }
        guard let place, place.position == checkpoint.position else {
            throw TrailFault(.checkpoint(position: checkpoint.position), "has no seal at its position")
        }
        try check(checkpoint, at: place)
        (summary.checkpoints, summary.lastCheckpoint) = (summary.checkpoints + 1, checkpoint)
    }

    private mutating func takeKept(at place: ChainPlace) throws(TrailFault) {
        guard let kept = kept.removeValue(forKey: place.position) else { return }
        for checkpoint in kept { try check(checkpoint, at: place) }
        summary.kept += kept.count
    }

    private func check(_ checkpoint: Checkpoint, at place: ChainPlace) throws(TrailFault) {
        let fault = { (reason: String) in TrailFault(.checkpoint(position: checkpoint.position), reason) }
        guard checkpoint.hash == place.hash else { throw fault("names another hash than the chain has") }
        guard let key = keys[checkpoint.key] else { throw fault("is signed by a key that is not known") }
        guard key.signed(checkpoint) else { throw fault("its signature is wrong") }
    }
}

/// What was checked.
public struct TrailSummary: Sendable, Hashable {
    /// Rows with a seal, and rows that have none yet.
    public var sealed = 0
    public var unsealed = 0
    /// Those whose content is gone; the hash still stands.
    public var erased = 0
    /// Of the last seal.
    public var position = 0
    /// The last seal's; nil where nothing was sealed.
    public var hash: Data?
    /// What came before the first position that was checked; nil where that is the beginning.
    public var firstPosition: Int?
    public var checkpoints = 0
    public var lastCheckpoint: Checkpoint?
    /// Checkpoints from elsewhere that are part of the chain.
    public var kept = 0

    /// How far the chain has come; nil where nothing was sealed.
    public var place: ChainPlace? { hash.map { ChainPlace(position: position, hash: $0) } }
}
