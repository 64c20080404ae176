import Synchronization

/// Hears that an endpoint of the store answers again, for the worker to hear of it in its next round.
final class OutageWatch: Sendable {
    private let hasEnded = Atomic(false)

    func recordEnd() { hasEnded.store(true, ordering: .relaxed) }

    /// Whether an outage ended since the last call.
    func consumeEnd() -> Bool { hasEnded.exchange(false, ordering: .relaxed) }
}
