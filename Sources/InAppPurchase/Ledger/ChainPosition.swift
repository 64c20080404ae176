public import Foundation

/// How far a chain has come.
public struct ChainPosition: Hashable, Sendable {
    public var position: Int
    public var hash: Data

    public init(position: Int, hash: Data) {
        self.position = position
        self.hash = hash
    }
}
