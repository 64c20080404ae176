import Crypto
import CryptoExtras
import X509

/// The kind of key that the store signs one kind of data with.
protocol SigningKey: Sendable {
    /// Nil for a key of another kind.
    init?(_ key: Certificate.PublicKey)

    /// Whether a check with it costs no more than with the store's own keys.
    var isAffordable: Bool { get }
}

/// Signed transactions and notifications.
extension P256.Signing.PublicKey: SigningKey {
    var isAffordable: Bool { true }
}

/// App receipts.
extension _RSA.Signing.PublicKey: SigningKey {
    /// The store's have 2048 bits; those of a stranger may have 16,384, and cost a hundred times as much.
    static let maximumBits = 4096

    var isAffordable: Bool { keySizeInBits <= Self.maximumBits }
}
