import Dispatch
import Ledger
import Synchronization

/// A connection pool: lends workers in the order of the requests.
final class ConnectionPool: Sendable {
    private struct State {
        /// The worker used last is lent first, so that few connections are open if few are needed.
        var idle: [PostgresWorker]
        var waiting: [(number: Int, continuation: CheckedContinuation<PostgresWorker, any Error>)] = []
        var asked = 0
    }

    private let state: Mutex<State>
    private let limits: PostgresLimits

    init(_ workers: [PostgresWorker], limits: PostgresLimits) {
        state = Mutex(State(idle: workers))
        self.limits = limits
    }

    /// - Throws: what `body` throws, and ``LedgerUnavailable`` if too many wait already, or the wait timed out.
    func withWorker<Value: Sendable>(_ body: (PostgresWorker) async throws -> Value) async throws -> Value {
        let worker = try await borrow()
        defer { giveBack(worker) }
        return try await body(worker)
    }

    private func borrow() async throws -> PostgresWorker {
        try await withCheckedThrowingContinuation { continuation in
            let number: Int? = state.withLock { state in
                if let worker = state.idle.popLast() {
                    continuation.resume(returning: worker)
                    return nil
                }
                guard state.waiting.count < limits.queue else {
                    continuation.resume(throwing: LedgerUnavailable("too many wait for a connection"))
                    return nil
                }
                state.asked += 1
                state.waiting.append((state.asked, continuation))
                return state.asked
            }
            guard let number else { return }
            let patience = DispatchTimeInterval.milliseconds(limits.patience.wholeMilliseconds)
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in self?.giveUp(number) }
        }
    }

    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(throwing: LedgerUnavailable("no connection became free in time"))
    }

    private func giveBack(_ worker: PostgresWorker) {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.idle.append(worker)
                return CheckedContinuation<PostgresWorker, any Error>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: worker)
    }
}
