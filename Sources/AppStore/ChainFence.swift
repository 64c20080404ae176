import InAppPurchase
import Synchronization

/// Where chains wait that are not known: each is verified once however many ask, and strangers one after another.
///
/// A chain costs as much as twenty messages of a known signer, and anybody can send a forged one. So however many come,
/// one core at most is busy with them, and there is an end to the queue.
final class ChainFence<LeafKey: SigningKey>: Sendable {
    /// Strangers that wait. At some 2 ms each, the last one's turn comes within a fraction of a second; nobody who has
    /// waited is sent away, so that a good signer becomes known even where the machine has little time.
    static var longestQueue: Int { 64 }
    /// Messages that wait, those of the same signer counted each: more than the server has connections is a mistake.
    static var mostWaiting: Int { 4096 }

    typealias Key = VerifiedChainCache<LeafKey>.Key
    typealias Flight = Task<VerifiedChain<LeafKey>, any Error>

    private struct State {
        /// Those that are under way; no more than ``longestQueue`` and the signers that are known.
        var flights: [Key: Flight] = [:]
        var strangers = 0
        var waiting = 0
        var last: Flight?

        mutating func leave(_ key: Key) {
            flights[key] = nil
            strangers -= 1
            if strangers == 0 { last = nil }
        }
    }

    private let state = Mutex(State())

    /// How many messages wait.
    var waiting: Int { state.withLock(\.waiting) }

    /// What `work` finds out, or what it finds out already for another message of the same signer.
    ///
    /// - Parameter isKnown: verified before, so that it need not wait behind strangers.
    /// - Throws: ``VerifierBusy``, and what `work` throws.
    func chain(
        _ key: Key, isKnown: Bool, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>
    ) async throws -> VerifiedChain<LeafKey> {
        // A task of its own: that one client goes away must not take the answer from the others.
        let flight = try state.withLock { state throws(VerifierBusy) -> Flight in
            guard state.waiting < Self.mostWaiting else { throw VerifierBusy() }
            let flight: Flight
            if let underWay = state.flights[key] {
                flight = underWay
            } else {
                flight = isKnown ? known(key, work) : try stranger(key, work, &state)
                state.flights[key] = flight
            }
            state.waiting += 1
            return flight
        }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await flight.value
    }

    private func known(
        _ key: Key, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>
    ) -> Flight {
        Flight {
            defer { state.withLock { $0.flights[key] = nil } }
            return try await work()
        }
    }

    private func stranger(
        _ key: Key, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>, _ state: inout State
    ) throws(VerifierBusy) -> Flight {
        guard state.strangers < Self.longestQueue else { throw VerifierBusy() }
        state.strangers += 1
        let before = state.last
        let flight = Flight {
            defer { self.state.withLock { $0.leave(key) } }
            _ = await before?.result
            return try await work()
        }
        state.last = flight
        return flight
    }
}
