import ServiceLifecycle

/// A service that does its work again and again until the server stops, and keeps nothing in mind between two runs.
protocol PeriodicService: Service {
    /// The pause before each run.
    static var interval: Duration { get }
    /// The pause before the first run; ``interval`` by default.
    static var firstInterval: Duration { get }

    /// Does the work once, and reports its own errors.
    func runOnce() async
    /// Does the last work, when the server stops; nothing by default.
    func stop() async
}

extension PeriodicService {
    static var firstInterval: Duration { interval }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await Task.sleep(for: Self.firstInterval)
            while true {
                await runOnce()
                try await Task.sleep(for: Self.interval)
            }
        }
        await stop()
    }

    func stop() async {}
}
