import Basics
import Dispatch
import Ledger
import Synchronization

/// A connection pool: lends connections in the order of the requests. If too many wait, the client that has most of
/// them loses its last one, if another client comes.
package final class ConnectionPool<Connection: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let continuation: CheckedContinuation<Connection, any Error>
        let sender = Sender.current

        func refuse() { continuation.resume(throwing: LedgerUnavailable("too many wait for a connection")) }
    }

    private struct State {
        /// The connection used last is lent first, so that few are open if few are needed.
        var idle: [Connection]
        var waiting = WaitingList<Waiter>()
    }

    private let state: Mutex<State>
    private let queue: Int
    private let timeout: Duration

    /// - Parameters:
    ///   - connections: open themselves when they are first used.
    ///   - queue: the maximum number of requests that wait for a connection.
    ///   - timeout: the timeout of waiting, from 0 to 2^31 - 1 milliseconds.
    package init(_ connections: [Connection], queue: Int, timeout: Duration) {
        state = Mutex(State(idle: connections))
        self.queue = queue
        self.timeout = timeout
    }

    /// - Throws: what `body` throws, and ``/Ledger/LedgerUnavailable`` if too many wait already, or the wait timed out.
    package func withConnection<Value: Sendable>(_ body: (Connection) async throws -> Value) async throws -> Value {
        let connection = try await borrow()
        defer { release(connection) }
        return try await body(connection)
    }

    /// The connections that nobody uses now. They may be lent as before.
    package var idle: [Connection] { state.withLock { $0.idle } }

    private func borrow() async throws -> Connection {
        try await withCheckedThrowingContinuation { continuation in
            let (waiter, deadline) = (Waiter(continuation: continuation), ContinuousClock.now + timeout)
            let needsTimer = state.withLock { state in
                if let connection = state.idle.popLast() {
                    continuation.resume(returning: connection)
                    return false
                }
                if state.waiting.count >= queue {
                    guard let index = state.waiting.all.map(\.sender).index(for: waiter.sender) else {
                        waiter.refuse()
                        return false
                    }
                    state.waiting.remove(at: index).refuse()
                }
                return state.waiting.append(waiter, until: deadline)
            }
            if needsTimer { startTimer(until: deadline) }
        }
    }

    /// Starts one timer for all that wait: under load most requests wait for a moment.
    private func startTimer(until deadline: ContinuousClock.Instant) {
        let time = DispatchTimeInterval.milliseconds(max(0, (deadline - .now).wholeMilliseconds) + 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in self?.expire() }
    }

    private func expire() {
        let (late, next) = state.withLock { $0.waiting.expire(at: .now) }
        for waiter in late {
            waiter.continuation.resume(throwing: LedgerUnavailable("no connection became free in time"))
        }
        if let next { startTimer(until: next) }
    }

    private func release(_ connection: Connection) {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.idle.append(connection) }
            return next
        }
        next?.continuation.resume(returning: connection)
    }
}
