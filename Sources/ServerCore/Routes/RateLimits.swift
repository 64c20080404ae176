package import InAppPurchase
package import ServerHTTP

/// The rate limiters of a server. They are in memory: a restart resets them.
package struct RateLimits: Sendable {
    /// A token is a receipt.
    package let receipts: RateLimiter<AccountID>
    package let accounts: RateLimiter<IPAddress?>
    package let sessions: RateLimiter<AccountID>
    /// A token is a wrong attempt.
    let recoveryCodes: RateLimiter<IPAddress?>
    package let adminTokens: RateLimiter<IPAddress?>
    /// A token is a forgery.
    package let notifications: RateLimiter<IPAddress?>
    package let unavailableProducts: RateLimiter<IPAddress?>

    package init(_ sizes: RateLimitSizes, _ metrics: ServerMetrics) {
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
