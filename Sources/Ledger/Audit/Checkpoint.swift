package import Foundation

/// A signed statement of the chain's hash at one position.
package struct Checkpoint: Hashable, Sendable {
    /// The position of the seal.
    package var position: Int
    /// The hash of the seal.
    package var hash: Data
    /// The date of signing, in whole milliseconds.
    package var date: Date
    /// The ID of the signing key.
    package var key: String
    /// The Ed25519 signature (RFC 8032 §5.1); 64 bytes.
    package var signature: Data

    package init(position: Int, hash: Data, date: Date, key: String, signature: Data) {
        self.position = position
        self.hash = hash
        self.date = date
        self.key = key
        self.signature = signature
    }
}
