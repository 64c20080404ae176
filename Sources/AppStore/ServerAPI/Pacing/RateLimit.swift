import InAppPurchase
import StoreClient

/// Apple's rate limits in requests a second ("Identifying rate limits"), by kind of request.
///
/// They count for each app in Production; the sandbox allows a tenth.
enum RateLimit: Int, Hashable, Sendable, CaseIterable {
    /// Transactions, histories, statuses, consumption, notification histories, finishing.
    case usual = 50
    /// Renewal dates and account tokens.
    case changes = 20
    /// Refund histories and order numbers.
    case lookups = 10
    /// Test notifications.
    case tests = 1
}

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
