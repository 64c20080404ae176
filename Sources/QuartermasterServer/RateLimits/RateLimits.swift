import InAppPurchase

/// The limits of a server. They are in memory: a restart forgets what was counted.
struct RateLimits: Sendable {
    /// Tokens are receipts.
    let receipts: RateLimiter<AccountID>
    let accounts: RateLimiter<IPAddress?>
    /// Tokens are wrong attempts.
    let recoveryCodes: RateLimiter<IPAddress?>
    let adminTokens: RateLimiter<IPAddress?>
    /// Tokens are forgeries.
    let notifications: RateLimiter<IPAddress?>

    init(_ sizes: RateLimitSizes, _ metrics: ServerMetrics) {
        func limiter<Key>(_ limit: RateLimit) -> RateLimiter<Key> {
            RateLimiter(limit, sizes[limit], refusals: metrics.rateLimited(limit))
        }
        receipts = limiter(.receipts)
        accounts = limiter(.accounts)
        recoveryCodes = limiter(.recoveryCodes)
        adminTokens = limiter(.adminTokens)
        notifications = limiter(.notifications)
    }
}
