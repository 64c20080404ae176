import Foundation
import Synchronization

/// Remembers verified chains, so that two of three signature checks (the slow P-384 ones) are done once per signer and
/// not once per message. Only what was verified enters, so nobody can fill it with forgeries.
final class VerifiedChainCache<LeafKey: SigningKey>: Sendable {
    /// The store has used three leaves since 2021; further roots may bring a few more.
    static var capacity: Int { 32 }

    /// The bytes themselves: to compare 4 kB takes less time than to hash them.
    struct Key: Hashable, Sendable {
        private var parts: [Data]

        init(leaf: Data, intermediate: Data) { parts = [leaf, intermediate] }

        /// - Parameter envelope: the part of a message that names its signer, such as the header of a JWS.
        init(envelope: Data) { parts = [envelope] }
    }

    private struct Entries {
        var chains: [Key: VerifiedChain<LeafKey>] = [:]
        /// Oldest first.
        var order: [Key] = []
    }

    private let entries = Mutex(Entries())

    var count: Int { entries.withLock { $0.chains.count } }

    func chain(_ key: Key) -> VerifiedChain<LeafKey>? { entries.withLock { $0.chains[key] } }

    /// The second time for the same key changes nothing but the chain; beyond ``capacity`` the oldest goes.
    func insert(_ chain: VerifiedChain<LeafKey>, for key: Key) {
        entries.withLock { entries in
            if entries.chains.updateValue(chain, forKey: key) == nil { entries.order.append(key) }
            if entries.order.count > Self.capacity { entries.chains[entries.order.removeFirst()] = nil }
        }
    }
}
