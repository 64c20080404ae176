import Ledger
import Synchronization

/// The queue of writes for the next group commit, in order of arrival. Bounded, so that writes do not pile up behind a
/// lock.
final class WriteQueue: Sendable {
    /// The maximum number of writes in the queue: at a millisecond each, a second of waiting; behind a held lock, later
    /// writes are better refused.
    static let length = 1_000

    /// The maximum number of writes in one transaction: its commit's cost is shared by then, and its memory and rows
    /// stay small.
    static let maximumBatch = 128

    private struct State {
        var waiting: [WaitingWrite] = []
        /// The number of writes in the running transaction.
        var running = 0
        var isServed = false
    }

    private let state = Mutex(State())

    /// The number of writes without an answer.
    var count: Int { state.withLock { $0.waiting.count + $0.running } }

    /// - Returns: whether no task serves the queue, so that the caller must start one.
    /// - Throws: ``LedgerUnavailable`` if too many wait already.
    func add(_ write: WaitingWrite) throws -> Bool {
        try state.withLock { state in
            guard state.waiting.count + state.running < Self.length else {
                throw LedgerUnavailable("too many writes wait")
            }
            state.waiting.append(write)
            defer { state.isServed = true }
            return !state.isServed
        }
    }

    /// The writes of the next transaction. If it is empty, the queue is not served any more.
    func next() -> [WaitingWrite] {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(Self.maximumBatch))
            state.waiting.removeFirst(batch.count)
            (state.running, state.isServed) = (batch.count, !batch.isEmpty)
            return batch
        }
    }

    /// Ends the running transaction.
    ///
    /// - Parameter left: the writes that it had no time for; they come first in the next one.
    func finish(leaving left: ArraySlice<WaitingWrite>) {
        state.withLock { state in
            state.waiting.insert(contentsOf: left, at: 0)
            state.running = 0
        }
    }
}
