import Crypto
import CryptoExtras
import X509

/// A public key of the kind that the App Store signs one kind of data with.
protocol SigningKey: Sendable {
    /// `nil` for a key of another kind.
    init?(_ key: Certificate.PublicKey)

    /// Whether a verification with it costs no more than with the App Store's own keys.
    var isAffordable: Bool { get }
}

/// Signed transactions and notifications.
extension P256.Signing.PublicKey: SigningKey {
    var isAffordable: Bool { true }
}

/// App receipts.
extension _RSA.Signing.PublicKey: SigningKey {
    /// The maximum key size. The App Store's keys have 2048 bits; a forger's may have 16,384 and cost a hundred times
    /// as much.
    static let maximumBits = 4096

    var isAffordable: Bool { keySizeInBits <= Self.maximumBits }
}
