package import Foundation
package import InAppPurchase

/// What was checked.
package struct TrailSummary: Sendable, Hashable {
    /// Rows with a seal, and rows that have none yet.
    package var sealed = 0
    package var unsealed = 0
    /// Those whose content is gone; the hash still stands.
    package var erased = 0
    /// Of the last seal.
    package var position = 0
    /// The last seal's; nil where nothing was sealed.
    package var hash: Data?
    /// What came before the first position that was checked; nil where that is the beginning.
    package var firstPosition: Int?
    package var checkpoints = 0
    package var lastCheckpoint: Checkpoint?
    /// Checkpoints from elsewhere that are part of the chain.
    package var kept = 0

    /// How far the chain has come; nil where nothing was sealed.
    package var place: ChainPosition? { hash.map { ChainPosition(position: position, hash: $0) } }
}
