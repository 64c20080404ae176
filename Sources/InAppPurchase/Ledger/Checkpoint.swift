public import Foundation

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
