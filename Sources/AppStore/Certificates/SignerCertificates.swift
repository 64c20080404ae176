package import Foundation

/// The signer's certificate and that of its issuer, in DER.
package struct SignerCertificates: Hashable, Codable, Sendable {
    package var leaf: Data
    package var intermediate: Data

    func cacheKey<LeafKey: SigningKey>(of type: LeafKey.Type = LeafKey.self) -> VerifiedChainCache<LeafKey>.Key {
        VerifiedChainCache.Key(leaf: leaf, intermediate: intermediate)
    }
}
