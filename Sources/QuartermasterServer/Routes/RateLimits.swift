import InAppPurchase
import ServerHTTP

/// The rate limiters of a server. They are in memory: a restart resets them.
struct RateLimits: Sendable {
    /// A token is a receipt.
    let receipts: RateLimiter<AccountID>
    let accounts: RateLimiter<IPAddress?>
    let sessions: RateLimiter<AccountID>
    /// A token is a wrong attempt.
    let recoveryCodes: RateLimiter<IPAddress?>
    let adminTokens: RateLimiter<IPAddress?>
    /// A token is a forgery.
    let notifications: RateLimiter<IPAddress?>
    let unavailableProducts: RateLimiter<IPAddress?>

    init(_ sizes: RateLimitSizes, _ metrics: ServerMetrics) {
        func limiter<Key>(_ limit: RateLimit) -> RateLimiter<Key> {
            RateLimiter(limit.words, sizes[limit], refusals: metrics.rateLimited(limit))
        }
        receipts = limiter(.receipts)
        accounts = limiter(.accounts)
        sessions = limiter(.sessions)
        recoveryCodes = limiter(.recoveryCodes)
        adminTokens = limiter(.adminTokens)
        notifications = limiter(.notifications)
        unavailableProducts = limiter(.unavailableProducts)
    }
}
