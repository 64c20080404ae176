import Foundation

/// The signer's certificate and that of its issuer, in DER.
struct SignerCertificates: Sendable {
    var leaf: Data
    var intermediate: Data

    func cacheKey<LeafKey: SigningKey>(of type: LeafKey.Type = LeafKey.self) -> VerifiedChainCache<LeafKey>.Key {
        VerifiedChainCache.Key(leaf: leaf, intermediate: intermediate)
    }
}
