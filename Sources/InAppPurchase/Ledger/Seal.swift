public import Foundation

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
