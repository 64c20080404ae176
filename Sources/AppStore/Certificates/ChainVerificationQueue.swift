import Basics
import Foundation
import InAppPurchase
import StoreClient
import Synchronization

/// A queue for certificate chains that are not in the cache. Each chain is verified once however many messages need it,
/// and those of unknown signers one after another.
///
/// Verifying a chain costs as much as twenty messages of a known signer, and anybody can send a forged one. So forged
/// chains keep at most one core busy, the queue has a maximum length, and clients have turns in it
/// (``/StoreClient/FairTurns``): a genuine signer that is not known yet waits for one chain of each client that forges,
/// not for all of them.
final class ChainVerificationQueue<LeafKey: SigningKey>: Sendable {
    /// The maximum number of unknown signers that wait. At some 2 ms each, the last one waits half a second; beyond it
    /// the client that has most of them loses one.
    static var maximumQueue: Int { 256 }
    /// The maximum number of waiting messages, those of the same signer counted each: more than the server has
    /// connections is a mistake.
    static var maximumWaiting: Int { 4096 }

    typealias Key = VerifiedChainCache<LeafKey>.Key
    typealias InFlightVerification = Task<VerifiedChain<LeafKey>, any Error>

    private struct State {
        /// The verifications under way, and those that wait.
        var inFlight: [Key: InFlightVerification] = [:]
        var waiting = 0
    }

    private let state = Mutex(State())
    let turns = FairTurns(.init(total: 1, perAddress: 1, perAccount: 1, waiting: maximumQueue))

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
                flight = isKnown ? known(key, work) : unknownSigner(key, work)
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
        _ key: Key, _ work: @escaping @Sendable () async throws -> VerifiedChain<LeafKey>
    ) -> InFlightVerification {
        InFlightVerification {
            defer { state.withLock { $0.inFlight[key] = nil } }
            guard let chain = try await turns.run(for: Sender.current, work) else { throw VerifierUnavailable() }
            return chain
        }
    }
}

/// A certificate chain that was verified up to a pinned root, reduced to what the next message of the signer needs.
struct VerifiedChain<LeafKey: SigningKey>: Sendable {
    /// The time in seconds for which a chain is used without another verification, as in Apple's own libraries.
    static var freshness: TimeInterval { 15 * 60 }

    var leafKey: LeafKey
    /// The period in which all three certificates are valid.
    var notBefore: Date
    var notAfter: Date
    var verifiedAt: Date

    func isValid(at date: Date) -> Bool { notBefore <= date && date <= notAfter }

    /// Whether it was verified recently; `false` also if the clock was set back to before that.
    func isFresh(at now: Date) -> Bool { (0...Self.freshness).contains(now.timeIntervalSince(verifiedAt)) }
}
