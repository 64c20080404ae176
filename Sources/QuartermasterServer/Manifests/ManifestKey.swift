import Basics
import Crypto

/// A signing key for manifests with its number.
typealias ManifestKey = NumberedKey<Curve25519.Signing.PrivateKey>
