import Basics
import Dispatch
import Ledger
import LedgerSQL
import Synchronization

/// The queue of single statements that read. What waits is run in one turn of a reading connection, in the order of
/// arrival: to change to a connection's thread and back costs more than a statement that finds one row by its key.
final class SelectQueue: Sendable {
    /// The maximum number of statements in one turn, so that the first does not wait for many others.
    static let maximumBatch = 64

    private struct Waiting: Sendable {
        let statement: SQLStatement
        let arguments: SQLArguments
        let continuation: CheckedContinuation<[SQLRow], any Error>
        let sender = Sender.current
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Whether what waits is run, or will be.
        var isServed = false
    }

    private let reader: SQLiteReader
    private let maximumWaiting: Int
    private let turns = DispatchQueue(label: "SelectQueue")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - reader: the connection, which nobody else uses.
    ///   - maximumWaiting: the maximum number of statements that wait.
    init(_ reader: SQLiteReader, maximumWaiting: Int = SQLiteReaders.maximumWaiting) {
        self.reader = reader
        self.maximumWaiting = maximumWaiting
    }

    /// Runs a statement in a turn with others. Another one's error is not its own.
    ///
    /// - Throws: a `DatabaseError`, and ``/Ledger/LedgerUnavailable`` if too many wait already.
    func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting(statement: statement, arguments: arguments, continuation: continuation)
            let (mustServe, refused) = add(waiting)
            refused?.continuation.resume(throwing: LedgerUnavailable("too many wait for a connection"))
            // Not a task, which would change to a thread of Swift's pool first.
            if mustServe { turns.async { self.serve() } }
        }
    }

    /// Closes its connection, which must not be in use.
    func close() throws { try reader.close() }

    /// - Returns: whether the caller must have the queue served, and who is refused because it is full.
    private func add(_ new: Waiting) -> (mustServe: Bool, refused: Waiting?) {
        state.withLock { state in
            var refused: Waiting?
            if state.waiting.count >= maximumWaiting {
                guard let index = state.waiting.map(\.sender).index(for: new.sender) else { return (false, new) }
                refused = state.waiting.remove(at: index)
            }
            state.waiting.append(new)
            defer { state.isServed = true }
            return (!state.isServed, refused)
        }
    }

    private func serve() {
        repeat {
            do {
                for answer in try reader.readBlocking(run) { answer() }
            } catch {
                for waiting in next(.max) { waiting.continuation.resume(throwing: error) }
            }
        } while mustGoOn()
    }

    /// Runs what waits by now, which is more than when the turn was asked for.
    ///
    /// - Returns: what resumes the callers.
    private func run(on reader: SQLiteTransaction) -> [@Sendable () -> Void] {
        next(Self.maximumBatch).map { waiting in
            let result = Result { try reader.all(waiting.statement, waiting.arguments) }
            return { waiting.continuation.resume(with: result) }
        }
    }

    private func next(_ count: Int) -> [Waiting] {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }

    /// Whether anything waits; if nothing does, the queue is not served any more.
    private func mustGoOn() -> Bool {
        state.withLock { state in
            state.isServed = !state.waiting.isEmpty
            return state.isServed
        }
    }
}
