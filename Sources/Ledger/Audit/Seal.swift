package import Foundation

/// A row's link in the hash chain. Positions count from 1 without a gap, in the order in which rows were sealed.
package struct Seal: Hashable, Sendable {
    package var position: Int
    /// The sequence number of the row.
    package var sequence: Int
    /// The SHA-256 over the row, its position and the hash of the previous seal; 32 bytes. The row's content is covered
    /// by its hash.
    package var hash: Data

    package init(position: Int, sequence: Int, hash: Data) {
        self.position = position
        self.sequence = sequence
        self.hash = hash
    }

    package var place: ChainPosition { ChainPosition(position: position, hash: hash) }
}

/// A position in the hash chain, with its hash.
package struct ChainPosition: Hashable, Sendable {
    package var position: Int
    package var hash: Data

    package init(position: Int, hash: Data) {
        self.position = position
        self.hash = hash
    }
}
