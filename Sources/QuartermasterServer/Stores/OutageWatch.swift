import Synchronization

/// Records that an endpoint of a store answers again, for the retry worker to see in its next round.
final class OutageWatch: Sendable {
    private let hasEnded = Atomic(false)

    func recordEnd() { hasEnded.store(true, ordering: .relaxed) }

    /// Whether an outage ended since the last call.
    func consumeEnd() -> Bool { hasEnded.exchange(false, ordering: .relaxed) }
}
