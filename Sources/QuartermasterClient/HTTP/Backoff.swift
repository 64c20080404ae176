/// Waits between attempts, with full jitter: each is random between 0 and a bound that doubles.
struct Backoff: Sendable {
    /// The bound of the first wait.
    var base = Duration.seconds(2)
    /// The largest bound.
    var maximum = Duration.seconds(300)
    private var attempts = 0

    init(base: Duration = .seconds(2), maximum: Duration = .seconds(300)) {
        self.base = base
        self.maximum = maximum
    }

    /// The next wait: at least as long as the server said, if it did.
    ///
    /// - Parameters:
    ///   - fraction: a random number, at least 0 and below 1.
    ///   - retryAfter: the answer's `Retry-After`.
    mutating func next(fraction: Double, retryAfter: Duration? = nil) -> Duration {
        var bound = base
        for _ in 0..<min(attempts, 30) where bound < maximum { bound = bound * 2 }
        attempts = min(attempts + 1, 30)
        return max(min(bound, maximum) * fraction, retryAfter ?? .zero)
    }

    /// Starts again with the first wait.
    mutating func reset() { attempts = 0 }
}
