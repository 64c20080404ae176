import Crypto
import Foundation
import Synchronization

/// A chain that was built to a pinned root, without the certificates: what the next message of the same signer needs.
struct VerifiedChain: Sendable {
    var leafKey: P256.Signing.PublicKey
    /// When all three certificates are valid.
    var notBefore: Date
    var notAfter: Date

    func isValid(at date: Date) -> Bool { notBefore <= date && date <= notAfter }
}

/// Remembers verified chains, so that two of three signature checks (the slow P-384 ones) are done once per signer and
/// not once per message. Only what was verified enters, so nobody can fill it with forgeries.
final class VerifiedChainCache: Sendable {
    /// The store has used three leaves since 2021; further roots may bring a few more.
    static let capacity = 32

    /// SHA-256 of leaf and intermediate.
    struct Key: Hashable, Sendable {
        private var leaf: Data
        private var intermediate: Data

        init(leaf: Data, intermediate: Data) {
            self.leaf = Data(SHA256.hash(data: leaf))
            self.intermediate = Data(SHA256.hash(data: intermediate))
        }
    }

    private struct Entries {
        var chains: [Key: VerifiedChain] = [:]
        /// Oldest first.
        var order: [Key] = []
    }

    private let entries = Mutex(Entries())

    var count: Int { entries.withLock { $0.chains.count } }

    func chain(_ key: Key) -> VerifiedChain? { entries.withLock { $0.chains[key] } }

    /// The second time for the same key changes nothing but the chain; beyond ``capacity`` the oldest goes.
    func insert(_ chain: VerifiedChain, for key: Key) {
        entries.withLock { entries in
            if entries.chains.updateValue(chain, forKey: key) == nil { entries.order.append(key) }
            if entries.order.count > Self.capacity { entries.chains[entries.order.removeFirst()] = nil }
        }
    }
}
