import InAppPurchase

/// Whose requests are counted together.
struct RateLimitKey: Hashable, Sendable {
    var app: BundleID
    var environment: Environment
    var limit: RateLimit

    /// The store counts by the hour: a minute's worth may go at once, and the rest of the hour has 59 minutes' worth.
    static let burst = Duration.seconds(60)

    /// Between two requests where many wait: a little longer than the limit says, for the burst's sake.
    var interval: Duration {
        let slowdown = environment == .production ? 1 : 10
        return .seconds(60 * slowdown) / (59 * limit.rawValue)
    }

    /// How far ahead of an even pace requests may be.
    var tolerance: Duration { Self.burst - interval }
}
