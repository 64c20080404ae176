import Basics
import Ledger
import StrictJSON
import Synchronization

/// The queue of writes for the next group commit, in order of arrival. Bounded, so that writes do not pile up behind a
/// lock. In a full one the client that has most writes loses its last one, if another client comes.
final class WriteQueue: Sendable {
    /// The maximum number of writes in the queue: at a millisecond each, a second of waiting; behind a held lock, later
    /// writes are better refused.
    static let length = 1_000

    /// The maximum number of writes in one transaction: its commit's cost is shared by then, and its memory and rows
    /// stay small.
    static let maximumBatch = 128

    /// The number of batches whose writes have a savepoint each after one was rolled back for a refusal: whoever has
    /// writes refused on purpose has those of others repeated in only one of this many batches.
    static let guardedBatches = 64

    private struct State {
        var waiting: [WaitingWrite] = []
        /// The number of writes in the running transaction.
        var running = 0
        var isServed = false
        /// The number of batches to come whose writes have a savepoint each.
        var guarded = 0
    }

    private let state = Mutex(State())

    /// The number of writes without an answer.
    var count: Int { state.withLock { $0.waiting.count + $0.running } }

    /// - Returns: whether no task serves the queue, so that the caller must start one.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if too many wait already, and no client has more than this one.
    func add(_ write: WaitingWrite) throws -> Bool {
        let tooMany = LedgerUnavailable("too many writes wait")
        let (mustServe, removed) = try state.withLock { state in
            var removed: WaitingWrite?
            if state.waiting.count + state.running >= Self.length {
                guard let index = state.waiting.map(\.sender).index(for: write.sender) else { throw tooMany }
                removed = state.waiting.remove(at: index)
            }
            state.waiting.append(write)
            defer { state.isServed = true }
            return (!state.isServed, removed)
        }
        removed?.fail(tooMany)
        return mustServe
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

    /// Whether each write of the next transaction should have a savepoint.
    var expectsRefusals: Bool { state.withLock { $0.guarded > 0 } }

    /// Gives each write of the next ``guardedBatches`` transactions a savepoint.
    func expectRefusals() { state.withLock { $0.guarded = Self.guardedBatches } }

    /// Ends the running transaction.
    ///
    /// - Parameter left: the writes that it had no time for; they come first in the next one.
    func finish(leaving left: ArraySlice<WaitingWrite>) {
        state.withLock { state in
            state.waiting.insert(contentsOf: left, at: 0)
            state.running = 0
            state.guarded = max(0, state.guarded - 1)
        }
    }
}
