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
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Whether a task runs what waits.
        var isServed = false
    }

    private let readers: SQLiteReaders
    private let maximumWaiting: Int
    private let state = Mutex(State())

    /// - Parameter maximumWaiting: the maximum number of statements that wait.
    init(_ readers: SQLiteReaders, maximumWaiting: Int = SQLiteReaders.maximumWaiting) {
        self.readers = readers
        self.maximumWaiting = maximumWaiting
    }

    /// Runs a statement in a turn with others. Another one's error is not its own.
    ///
    /// - Throws: a `DatabaseError`, and ``LedgerUnavailable`` if too many wait already, or the wait for a connection
    ///   timed out.
    func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting(statement: statement, arguments: arguments, continuation: continuation)
            guard let mustServe = add(waiting) else {
                return continuation.resume(throwing: LedgerUnavailable("too many wait for a connection"))
            }
            // Detached: one caller's cancellation must not cancel the statements of others.
            if mustServe { Task.detached { await self.serve() } }
        }
    }

    /// Closes its connections, if they are not in use.
    func close() throws { try readers.close() }

    /// - Returns: whether the caller must have the queue served; `nil` if it is full.
    private func add(_ new: Waiting) -> Bool? {
        state.withLock { state in
            guard state.waiting.count < maximumWaiting else { return nil }
            state.waiting.append(new)
            defer { state.isServed = true }
            return !state.isServed
        }
    }

    private func serve() async {
        repeat {
            do {
                for answer in try await readers.read(run) { answer() }
            } catch {
                for waiting in next(.max) { waiting.continuation.resume(throwing: error) }
            }
        } while mustGoOn()
    }

    /// Runs what waits by now, which is more than when the connection was asked for.
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
