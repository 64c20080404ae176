import CoreMetrics
import Foundation
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
    func hasTaken(_ key: Key, at date: Date) -> Bool {
        buckets.withLock { $0.map { !$0.isFull(key, at: date) } ?? false }
    }

    /// Returns a token that was consumed for what turned out not to count.
    func giveBack(for key: Key) { buckets.withLock { $0?.giveBack(for: key) } }

    private func refuse(_ wait: Int?) throws(Problem) {
        if let wait { try refuse(with: limit.problem(retryAfter: wait)) }
    }
}
