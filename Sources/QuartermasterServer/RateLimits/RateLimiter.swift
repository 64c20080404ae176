import CoreMetrics
import Foundation
import InAppPurchase
import Synchronization

/// A rate limiter with a token bucket for each key.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    /// The buckets; `nil` if the limit is off.
    private let buckets: Mutex<TokenBuckets<Key>?>
    private let refusals: Counter

    /// - Parameter size: `nil` switches the limit off.
    init(_ limit: RateLimit, _ size: TokenBucketSize?, refusals: Counter) {
        self.limit = limit
        self.refusals = refusals
        buckets = Mutex(size.map { TokenBuckets($0) })
    }

    /// Consumes tokens.
    ///
    /// - Throws: 429 if there are fewer; none is consumed then.
    func consume(_ count: Int = 1, for key: Key, at date: Date) throws(Problem) {
        try refuse(buckets.withLock { $0?.consume(count, for: key, at: date) })
    }

    /// Consumes a token. If there is none, returns the refusal to pass to ``refuse(with:)`` in case that is the
    /// response.
    func refusal(for key: Key, at date: Date) -> Problem? {
        buckets.withLock { $0?.consume(1, for: key, at: date) }.map { limit.problem(retryAfter: $0) }
    }

    /// Counts a refusal that ``refusal(for:at:)`` returned.
    ///
    /// - Throws: the refusal, always.
    func refuse(with refusal: Problem) throws(Problem) {
        refusals.increment()
        throw refusal
    }

    /// Whether tokens of the key are missing from its bucket now.
    func isTaken(_ key: Key, at date: Date) -> Bool {
        buckets.withLock { $0.map { !$0.isFull(key, at: date) } ?? false }
    }

    /// Returns a token that was consumed for what turned out not to count.
    func release(for key: Key) { buckets.withLock { $0?.release(for: key) } }

    private func refuse(_ wait: Int?) throws(Problem) {
        if let wait { try refuse(with: limit.problem(retryAfter: wait)) }
    }
}

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
            RateLimiter(limit, sizes[limit], refusals: metrics.rateLimited(limit))
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
