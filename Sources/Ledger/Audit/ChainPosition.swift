package import Foundation

/// How far a chain has come.
package struct ChainPosition: Hashable, Sendable {
    package var position: Int
    package var hash: Data

    package init(position: Int, hash: Data) {
        self.position = position
        self.hash = hash
    }
}
