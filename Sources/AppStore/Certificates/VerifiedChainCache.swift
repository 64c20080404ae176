package import Foundation
import Synchronization

/// A cache of verified chains, so that two of three signature verifications (the slow P-384 ones) are made once per
/// signer and not once per message. Only verified chains enter, so forgeries cannot fill it.
final class VerifiedChainCache<LeafKey: SigningKey>: Sendable {
    /// The maximum number of chains. The App Store has used three leaves since 2021; further roots may bring a few
    /// more.
    static var capacity: Int { 32 }

    /// The key: the bytes themselves, since comparing 4 kB takes less time than hashing them.
    struct Key: Hashable, Sendable {
        private var parts: [Data]

        init(leaf: Data, intermediate: Data) { parts = [leaf, intermediate] }

        /// The certificates; `nil` for an envelope.
        fileprivate var certificates: SignerCertificates? {
            guard parts.count == 2, let leaf = parts.first, let intermediate = parts.last else { return nil }
            return SignerCertificates(leaf: leaf, intermediate: intermediate)
        }

        /// - Parameter envelope: the part of a message that names its signer, such as the header of a JWS.
        init(envelope: Data) { parts = [envelope] }
    }

    private struct Entries {
        var chains: [Key: VerifiedChain<LeafKey>] = [:]
        /// The keys, oldest first.
        var order: [Key] = []
    }

    private let entries = Mutex(Entries())

    var count: Int { entries.withLock { $0.chains.count } }

    /// The certificates of all chains, oldest first.
    var certificates: [SignerCertificates] { entries.withLock { $0.order.compactMap(\.certificates) } }

    func chain(_ key: Key) -> VerifiedChain<LeafKey>? { entries.withLock { $0.chains[key] } }

    /// Adds or replaces a chain; beyond ``capacity`` the oldest is removed.
    func insert(_ chain: VerifiedChain<LeafKey>, for key: Key) {
        entries.withLock { entries in
            if entries.chains.updateValue(chain, forKey: key) == nil { entries.order.append(key) }
            if entries.order.count > Self.capacity { entries.chains[entries.order.removeFirst()] = nil }
        }
    }
}

/// The signer's certificate and that of its issuer, in DER.
package struct SignerCertificates: Hashable, Codable, Sendable {
    package var leaf: Data
    package var intermediate: Data

    func cacheKey<LeafKey: SigningKey>(of type: LeafKey.Type = LeafKey.self) -> VerifiedChainCache<LeafKey>.Key {
        VerifiedChainCache.Key(leaf: leaf, intermediate: intermediate)
    }
}
