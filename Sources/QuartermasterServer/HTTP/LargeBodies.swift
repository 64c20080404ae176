import NIOPosix
import Synchronization

/// Work on large bodies, on threads of its own: on the cooperative pool it would hold up everybody's requests.
final class LargeBodies: Sendable {
    /// Below it the work is shorter than the way to another thread and back is worth.
    static let minimumBytes = 64 << 10
    /// More would only take each other's time.
    static let threads = 2
    /// Bodies that wait, or are worked on, at a time. At some milliseconds each, the last one waits less than a second.
    static let maximumWaiting = 64

    /// Lives as long as the process, as NIO's own pool does.
    static let shared = LargeBodies(threads: threads, maximumWaiting: maximumWaiting)

    private let pool: NIOThreadPool
    private let maximumWaiting: Int
    private let waiting = Mutex(0)

    init(threads: Int, maximumWaiting: Int) {
        pool = NIOThreadPool(numberOfThreads: threads)
        self.maximumWaiting = maximumWaiting
        pool.start()
    }

    /// How many wait or are worked on.
    var count: Int { waiting.withLock { $0 } }

    /// Runs the work at once for a small body, and on one of the threads for a large one.
    ///
    /// - Parameter bytes: of the body.
    /// - Throws: 503 `busy` if as many wait already as may, and what the work throws.
    func run<Value: Sendable>(bytes: Int, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard bytes > Self.minimumBytes else { return try work() }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < maximumWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { throw Problem.tooManyBodies }
        defer { waiting.withLock { $0 -= 1 } }
        return try await pool.runIfActive(work)
    }
}
