package import ServiceLifecycle

/// A service that repeats its work until the server stops, and keeps no state between two runs.
package protocol PeriodicService: Service {
    /// The pause before each run.
    static var interval: Duration { get }
    /// The pause before the first run; ``interval`` by default.
    static var firstInterval: Duration { get }

    /// Does the work once, and handles its errors by itself.
    func runOnce() async
    /// Does the last work, when the server stops; nothing by default.
    func stop() async
}

extension PeriodicService {
    package static var firstInterval: Duration { interval }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await Task.sleep(for: Self.firstInterval)
            while true {
                await runOnce()
                try await Task.sleep(for: Self.interval)
            }
        }
        await stop()
    }

    package func stop() async {}
}
