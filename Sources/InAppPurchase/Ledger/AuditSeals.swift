public import Foundation

/// The hash chain over the audit trail: one sealer at a time gives every row its place in it, and signs where it stands.
///
/// Writers append rows with their content's hash only, so that they never queue behind each other for the chain.
public protocol AuditSeals: Sendable {
    /// Seals rows that have no seal yet, oldest first, in one transaction: of several sealers one does it.
    ///
    /// The highest number that was sealed is kept apart from the rows. Where the trail ends before it, its end was cut
    /// off: a row of kind ``AuditEntry/Kind/trailCut`` is appended then, which stays, and no check passes any more.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - date: now, for a row that tells of a cut.
    ///   - seal: makes a row's seal from the one before, nil for the very first.
    /// - Returns: how many rows were sealed; 0 changes nothing.
    func sealRows(
        atMost limit: Int, at date: Date, _ seal: @escaping @Sendable (AuditRow, Seal?) throws -> Seal
    ) async throws -> Int

    /// Adds a checkpoint of the newest seal, in one transaction.
    ///
    /// - Parameter sign: is given the newest seal and the newest checkpoint; nil where none is due. Not called where the
    ///   newest seal has a checkpoint already, or where nothing is sealed.
    /// - Returns: the checkpoint that was added.
    func addCheckpoint(
        _ sign: @escaping @Sendable (Seal, Checkpoint?) throws -> Checkpoint?
    ) async throws -> Checkpoint?

    /// Reads the trail in one consistent snapshot, item by item: a trail of millions of rows is never in memory whole.
    ///
    /// The sealed rows come in the order of their seals, each checkpoint after the seal it names, then the rows without a
    /// seal, last ``TrailItem/end(highest:)``.
    ///
    /// - Parameters:
    ///   - sequence: rows with a greater sequence number only, the ``TrailItem/beginning(after:)`` saying what came
    ///     before; 0 for all.
    ///   - initial: what `take` changes with every item.
    /// - Throws: ``TrailError`` where a row is not what any writer wrote, and what `take` throws.
    func readTrail<Result: Sendable>(
        after sequence: Int, into initial: Result, _ take: @escaping @Sendable (inout Result, TrailItem) throws -> Void
    ) async throws -> Result
}

/// A row's place in the chain. Positions count from 1 without a gap, in the order in which rows were sealed.
public struct Seal: Hashable, Sendable {
    public var position: Int
    /// The row's.
    public var sequence: Int
    /// Covers the row and the hash of the seal before; 32 bytes.
    public var hash: Data

    public init(position: Int, sequence: Int, hash: Data) {
        self.position = position
        self.sequence = sequence
        self.hash = hash
    }

    public var place: ChainPosition { ChainPosition(position: position, hash: hash) }
}

/// A signed statement of what the chain's hash was at one position.
public struct Checkpoint: Hashable, Sendable {
    /// Of the seal.
    public var position: Int
    /// The seal's.
    public var hash: Data
    /// When it was signed, in whole milliseconds.
    public var date: Date
    /// The ID of the key.
    public var key: String
    /// Ed25519 (RFC 8032 §5.1); 64 bytes.
    public var signature: Data

    public init(position: Int, hash: Data, date: Date, key: String, signature: Data) {
        self.position = position
        self.hash = hash
        self.date = date
        self.key = key
        self.signature = signature
    }
}

/// What a trail is made of, in the order in which it is checked.
public enum TrailItem: Sendable {
    /// Comes first. The place in the chain before the first item; nil where the trail begins with position 1.
    case beginning(after: ChainPosition?)
    /// A row with its seal; nil where it has none yet.
    case row(AuditRow, Seal?)
    /// A seal whose row is gone.
    case rowless(Seal)
    case checkpoint(Checkpoint)
    /// Comes last. The highest sequence number that is known to have been given to a row; nil where none was kept.
    case end(highest: Int?)
}

/// How far a chain has come.
public struct ChainPosition: Hashable, Sendable {
    public var position: Int
    public var hash: Data

    public init(position: Int, hash: Data) {
        self.position = position
        self.hash = hash
    }
}

/// The first thing in an audit trail that does not fit.
public struct TrailError: Error, Hashable, CustomStringConvertible {
    public enum Place: Hashable, Sendable {
        case row(sequence: Int)
        case position(Int)
        case checkpoint(position: Int)
        /// Of a file, from 1.
        case line(Int)
    }

    public var place: Place
    public var reason: String

    public init(_ place: Place, _ reason: String) {
        self.place = place
        self.reason = reason
    }

    /// One line: what and where.
    public var description: String {
        switch place {
        case .row(let sequence): "row \(sequence): \(reason)"
        case .position(let position): "position \(position): \(reason)"
        case .checkpoint(let position): "checkpoint \(position): \(reason)"
        case .line(let number): "line \(number): \(reason)"
        }
    }
}
