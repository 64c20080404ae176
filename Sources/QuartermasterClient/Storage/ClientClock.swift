public import Foundation

/// Time, waits and randomness as arguments: an app uses ``system``, a test its own.
public struct ClientClock: Sendable {
    /// The device's time, which the player may set.
    public var now: @Sendable () -> Date
    /// A time that only goes forward while the process runs.
    public var uptime: @Sendable () -> Duration
    /// Waits; throws if the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number, at least 0 and below 1.
    public var fraction: @Sendable () -> Double

    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void, fraction: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.fraction = fraction
    }

    /// The clocks and the randomness of the system.
    public static let system: Self = {
        let start = ContinuousClock.now
        return Self(
            now: { Date() },
            uptime: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0) },
            fraction: { Double.random(in: 0..<1) })
    }()
}
