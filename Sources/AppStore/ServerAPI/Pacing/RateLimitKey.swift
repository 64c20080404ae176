import InAppPurchase
import StoreClient

/// The key of a rate limit of the App Store Server API.
struct RateLimitKey: PacingKey {
    var app: BundleID
    var environment: Environment
    var limit: RateLimit

    /// The maximum burst. Apple counts by the hour: a minute's worth may go at once, and 59 minutes' worth over the
    /// hour.
    static let burst = Duration.seconds(60)

    /// The time between two requests if many wait: a little longer than the limit requires, to make up for the burst.
    var interval: Duration {
        let slowdown = environment == .production ? 1 : 10
        return .seconds(60 * slowdown) / (59 * limit.rawValue)
    }
}
