package import Foundation

/// A signed statement of what the chain's hash was at one position.
package struct Checkpoint: Hashable, Sendable {
    /// Of the seal.
    package var position: Int
    /// The seal's.
    package var hash: Data
    /// When it was signed, in whole milliseconds.
    package var date: Date
    /// The ID of the key.
    package var key: String
    /// Ed25519 (RFC 8032 §5.1); 64 bytes.
    package var signature: Data

    package init(position: Int, hash: Data, date: Date, key: String, signature: Data) {
        self.position = position
        self.hash = hash
        self.date = date
        self.key = key
        self.signature = signature
    }
}
