import InAppPurchase
import Synchronization

/// Writes that wait for the next commit, in the order they came. Bounded, so that they do not pile up behind a lock
/// without end.
final class WriteQueue: Sendable {
    /// At a millisecond each a second of waiting; behind a lock that is held, what waits longer is better sent away.
    static let length = 1_000

    /// Of one transaction: what a commit costs is shared by then, and what it holds in memory and rows stays small.
    static let maximumBatch = 128

    private struct State {
        var waiting: [WaitingWrite] = []
        /// Those of the transaction that goes on.
        var running = 0
        var isServed = false
    }

    private let state = Mutex(State())

    /// Those that have no answer yet.
    var count: Int { state.withLock { $0.waiting.count + $0.running } }

    /// - Returns: whether nobody takes from the queue, so that whoever added must see to it.
    /// - Throws: ``LedgerUnavailable`` where too many wait already.
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

    /// What comes into the next transaction. Where that is nothing, nobody takes from the queue any more.
    func next() -> [WaitingWrite] {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(Self.maximumBatch))
            state.waiting.removeFirst(batch.count)
            (state.running, state.isServed) = (batch.count, !batch.isEmpty)
            return batch
        }
    }

    /// The transaction is over.
    ///
    /// - Parameter left: those that it had no time for; they come first in the next one.
    func finish(leaving left: ArraySlice<WaitingWrite>) {
        state.withLock { state in
            state.waiting.insert(contentsOf: left, at: 0)
            state.running = 0
        }
    }
}
