import NIOPosix
import Synchronization

/// A thread pool for work on large bodies, which would delay everybody's requests on the cooperative pool.
package final class LargeBodies: Sendable {
    /// Below this size the work is shorter than a switch to another thread and back.
    static let minimumBytes = 64 << 10
    /// More threads would only compete with each other.
    static let threads = 2
    /// The maximum number of bodies that wait or are worked on. At some milliseconds each, the last one waits less than
    /// a second.
    static let maximumWaiting = 64

    /// A pool that lives as long as the process, as NIO's own does.
    package static let shared = LargeBodies(threads: threads, maximumWaiting: maximumWaiting)

    private let pool: NIOThreadPool
    private let maximumWaiting: Int
    private let waiting = Mutex(0)

    package init(threads: Int, maximumWaiting: Int) {
        pool = NIOThreadPool(numberOfThreads: threads)
        self.maximumWaiting = maximumWaiting
        pool.start()
    }

    /// The number of bodies that wait or are worked on.
    package var count: Int { waiting.withLock { $0 } }

    /// Runs the work inline for a small body, and on one of the threads for a large one.
    ///
    /// - Parameter bytes: the size of the body.
    /// - Throws: 503 `busy` if the maximum number of bodies waits already, and what the work throws.
    package func run<Value: Sendable>(bytes: Int, _ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
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
