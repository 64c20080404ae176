package import Foundation
package import Ledger

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
