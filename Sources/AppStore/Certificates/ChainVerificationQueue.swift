import InAppPurchase
import Synchronization

/// A queue for certificate chains that are not in the cache. Each chain is verified once however many messages need it,
/// and those of unknown signers one after another.
///
/// Verifying a chain costs as much as twenty messages of a known signer, and anybody can send a forged one. So forged
/// chains keep at most one core busy, and the queue has a maximum length.
final class ChainVerificationQueue<LeafKey: SigningKey>: Sendable {
    /// The maximum number of unknown signers that wait. At some 2 ms each, the last one waits a fraction of a second;
    /// none that has waited is refused, so that a genuine signer becomes known even on a busy machine.
    static var maximumQueue: Int { 64 }
    /// The maximum number of waiting messages, those of the same signer counted each: more than the server has
    /// connections is a mistake.
    static var maximumWaiting: Int { 4096 }

    typealias Key = VerifiedChainCache<LeafKey>.Key
    typealias InFlightVerification = Task<VerifiedChain<LeafKey>, any Error>

    private struct State {
        /// The verifications under way; at most ``maximumQueue`` and one for each known signer.
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

    /// The number of messages that wait.
    var waiting: Int { state.withLock(\.waiting) }

    /// The verified chain: the result of `work`, or of a verification under way for another message of the same signer.
    ///
    /// - Parameter isKnown: whether the chain was verified before, so that it need not wait behind unknown signers.
    /// - Throws: ``VerifierUnavailable``, and what `work` throws.
    func chain(
        _ key: Key, isKnown: Bool, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>
    ) async throws -> VerifiedChain<LeafKey> {
        // A task of its own: a client that disconnects must not cancel the verification for the others.
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
