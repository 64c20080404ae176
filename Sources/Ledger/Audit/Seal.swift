package import Foundation

/// A row's place in the chain. Positions count from 1 without a gap, in the order in which rows were sealed.
package struct Seal: Hashable, Sendable {
    package var position: Int
    /// The row's.
    package var sequence: Int
    /// Covers the row and the hash of the seal before; 32 bytes.
    package var hash: Data

    package init(position: Int, sequence: Int, hash: Data) {
        self.position = position
        self.sequence = sequence
        self.hash = hash
    }

    package var place: ChainPosition { ChainPosition(position: position, hash: hash) }
}
