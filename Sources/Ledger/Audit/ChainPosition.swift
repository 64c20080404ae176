package import Foundation

/// A position in the hash chain, with its hash.
package struct ChainPosition: Hashable, Sendable {
    package var position: Int
    package var hash: Data

    package init(position: Int, hash: Data) {
        self.position = position
        self.hash = hash
    }
}
