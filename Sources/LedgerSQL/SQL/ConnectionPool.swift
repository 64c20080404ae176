import Dispatch
import Ledger
import Synchronization

/// A connection pool: lends connections in the order of the requests.
package final class ConnectionPool<Connection: Sendable>: Sendable {
    private struct State {
        /// The connection used last is lent first, so that few are open if few are needed.
        var idle: [Connection]
        var waiting: [(number: Int, continuation: CheckedContinuation<Connection, any Error>)] = []
        var asked = 0
    }

    private let state: Mutex<State>
    private let queue: Int
    private let patience: DispatchTimeInterval

    /// - Parameters:
    ///   - connections: open themselves when they are first used.
    ///   - queue: the maximum number of requests that wait for a connection.
    ///   - patience: the timeout of waiting, from 0 to 2^31 - 1 milliseconds.
    package init(_ connections: [Connection], queue: Int, patience: Duration) {
        state = Mutex(State(idle: connections))
        self.queue = queue
        self.patience = .milliseconds(patience.wholeMilliseconds)
    }

    /// - Throws: what `body` throws, and ``LedgerUnavailable`` if too many wait already, or the wait timed out.
    package func withConnection<Value: Sendable>(
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        let connection = try await borrow()
        defer { giveBack(connection) }
        return try await body(connection)
    }

    /// The connections that nobody uses now. They may be lent as before.
    package var idle: [Connection] { state.withLock { $0.idle } }

    private func borrow() async throws -> Connection {
        try await withCheckedThrowingContinuation { continuation in
            let number: Int? = state.withLock { state in
                if let connection = state.idle.popLast() {
                    continuation.resume(returning: connection)
                    return nil
                }
                guard state.waiting.count < queue else {
                    continuation.resume(throwing: LedgerUnavailable("too many wait for a connection"))
                    return nil
                }
                state.asked += 1
                state.waiting.append((state.asked, continuation))
                return state.asked
            }
            guard let number else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in self?.giveUp(number) }
        }
    }

    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(throwing: LedgerUnavailable("no connection became free in time"))
    }

    private func giveBack(_ connection: Connection) {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.idle.append(connection)
                return CheckedContinuation<Connection, any Error>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: connection)
    }
}
