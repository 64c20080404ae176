import GRDB
import Synchronization

/// The connections that read a ledger's file beside its writer, opened as they are needed.
///
/// Unlike those of GRDB's pool they keep what they prepared, also the beginning and the end of a transaction, and do not
/// ask for the version of the schema before each use.
final class SQLiteReaders: Sendable {
    /// The maximum number of connections: reads that the processor runs, and some that wait for the disk.
    static let maximum = 5

    private struct Reader: Sendable {
        let statements = SQLiteStatements()
        let queue: DatabaseQueue
    }

    private struct State {
        var idle: [Reader] = []
        /// The number of connections that are open or being opened.
        var count = 0
        var waiting: [CheckedContinuation<Reader?, Never>] = []
    }

    private let path: String
    private let configuration: Configuration
    private let state = Mutex(State())

    init(path: String) {
        self.path = path
        var configuration = SQLiteLedger.configuration
        configuration.readonly = true
        self.configuration = configuration
    }

    /// Runs `work` on a connection that nobody else uses meanwhile, without a transaction.
    func read<Value: Sendable>(_ work: @escaping @Sendable (SQLiteTransaction) throws -> Value) async throws -> Value {
        let reader = try await borrow()
        defer { giveBack(reader) }
        return try await reader.queue.unsafeRead { db in
            try work(SQLiteTransaction(db: db, statements: reader.statements))
        }
    }

    /// Closes the connections that are not in use.
    func close() throws {
        let idle = state.withLock { state in
            let idle = state.idle
            state.idle = []
            state.count -= idle.count
            return idle
        }
        for reader in idle {
            reader.queue.unsafeRead { _ in reader.statements.removeAll() }
            try reader.queue.close()
        }
    }

    private func borrow() async throws -> Reader {
        let idle = await withCheckedContinuation { continuation in
            let (isIdle, reader) = state.withLock { state -> (Bool, Reader?) in
                if let reader = state.idle.popLast() { return (true, reader) }
                guard state.count < Self.maximum else {
                    state.waiting.append(continuation)
                    return (false, nil)
                }
                state.count += 1
                return (true, nil)
            }
            if isIdle { continuation.resume(returning: reader) }
        }
        if let idle { return idle }
        do {
            return Reader(queue: try DatabaseQueue(path: path, configuration: configuration))
        } catch {
            giveBack(nil)
            throw error
        }
    }

    /// - Parameter reader: `nil` if it could not be opened; whoever waits then tries it.
    private func giveBack(_ reader: Reader?) {
        let next = state.withLock { state -> CheckedContinuation<Reader?, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if let reader { state.idle.append(reader) } else { state.count -= 1 }
            return nil
        }
        next?.resume(returning: reader)
    }
}
