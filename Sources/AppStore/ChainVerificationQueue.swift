import InAppPurchase
import Synchronization

/// Where chains wait that are not known: each is verified once however many ask, and strangers one after another.
///
/// A chain costs as much as twenty messages of a known signer, and anybody can send a forged one. So however many come,
/// one core at most is busy with them, and there is an end to the queue.
final class ChainVerificationQueue<LeafKey: SigningKey>: Sendable {
    /// Strangers that wait. At some 2 ms each, the last one's turn comes within a fraction of a second; nobody who has
    /// waited is sent away, so that a good signer becomes known even where the machine has little time.
    static var maximumQueue: Int { 64 }
    /// Messages that wait, those of the same signer counted each: more than the server has connections is a mistake.
    static var maximumWaiting: Int { 4096 }

    typealias Key = VerifiedChainCache<LeafKey>.Key
    typealias InFlightVerification = Task<VerifiedChain<LeafKey>, any Error>

    private struct State {
        /// Those that are under way; no more than ``maximumQueue`` and the signers that are known.
        var inFlight: [Key: InFlightVerification] = [:]
        var unknownSigners = 0
        var waiting = 0
        var last: InFlightVerification?

        mutating func leave(_ key: Key) {
            inFlight[key] = nil
            unknownSigners -= 1
            if unknownSigners == 0 { last = nil }
        }
    }

    private let state = Mutex(State())

    /// How many messages wait.
    var waiting: Int { state.withLock(\.waiting) }

    /// What `work` finds out, or what it finds out already for another message of the same signer.
    ///
    /// - Parameter isKnown: verified before, so that it need not wait behind strangers.
    /// - Throws: ``VerifierUnavailable``, and what `work` throws.
    func chain(
        _ key: Key, isKnown: Bool, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>
    ) async throws -> VerifiedChain<LeafKey> {
        // A task of its own: that one client goes away must not take the answer from the others.
        let flight = try state.withLock { state throws(VerifierUnavailable) -> InFlightVerification in
            guard state.waiting < Self.maximumWaiting else { throw VerifierUnavailable() }
            let flight: InFlightVerification
            if let underWay = state.inFlight[key] {
                flight = underWay
            } else {
                flight = isKnown ? known(key, work) : try unknownSigner(key, work, &state)
                state.inFlight[key] = flight
            }
            state.waiting += 1
            return flight
        }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await flight.value
    }

    private func known(
        _ key: Key, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>
    ) -> InFlightVerification {
        InFlightVerification {
            defer { state.withLock { $0.inFlight[key] = nil } }
            return try await work()
        }
    }

    private func unknownSigner(
        _ key: Key, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>, _ state: inout State
    ) throws(VerifierUnavailable) -> InFlightVerification {
        guard state.unknownSigners < Self.maximumQueue else { throw VerifierUnavailable() }
        state.unknownSigners += 1
        let before = state.last
        let flight = InFlightVerification {
            defer { self.state.withLock { $0.leave(key) } }
            _ = await before?.result
            return try await work()
        }
        state.last = flight
        return flight
    }
}
