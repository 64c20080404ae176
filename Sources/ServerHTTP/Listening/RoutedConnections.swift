/// The connections of a listener that have tasks, since a request on them needed the routes.
package struct RoutedConnections: Sendable {
    typealias Work = @Sendable () async -> Void

    private let works: AsyncStream<Work>
    private let feed: AsyncStream<Work>.Continuation

    // Needs no bound: there are no more than two elements for each connection, whose number the listener limits.
    init() { (works, feed) = AsyncStream.makeStream() }

    /// Runs work of a connection in a task of ``run()``.
    func add(_ work: @escaping Work) { feed.yield(work) }

    /// Runs what was added until ``finish()`` was called and all of it has ended. Cancellation cancels it.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await work in works { group.addTask { await work() } }
        }
    }

    func finish() { feed.finish() }
}
