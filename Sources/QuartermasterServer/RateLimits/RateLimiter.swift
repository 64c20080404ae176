import CoreMetrics
import Foundation
import Synchronization

/// One limit in force, for all who come.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    /// Nil where the limit is off.
    private let buckets: Mutex<TokenBuckets<Key>?>
    private let refusals: Counter

    /// - Parameter size: nil switches it off.
    init(_ limit: RateLimit, _ size: TokenBucketSize?, refusals: Counter) {
        (self.limit, self.refusals) = (limit, refusals)
        buckets = Mutex(size.map { TokenBuckets($0) })
    }

    /// Takes tokens.
    ///
    /// - Throws: 429 where there are not so many; none is taken then.
    func take(_ count: Int = 1, for key: Key, at date: Date) throws(Problem) {
        try refuse(buckets.withLock { $0?.take(count, for: key, at: date) })
    }

    /// Takes none.
    ///
    /// - Throws: 429 where there is none left.
    func check(_ key: Key, at date: Date) throws(Problem) {
        try refuse(buckets.withLock { $0?.wait(for: key, at: date) })
    }

    /// Whether tokens of the key are missing now.
    func hasTaken(_ key: Key, at date: Date) -> Bool {
        buckets.withLock { $0.map { !$0.isFull(key, at: date) } ?? false }
    }

    /// Gives a token back that was taken for what turned out not to count.
    func giveBack(for key: Key) { buckets.withLock { $0?.giveBack(for: key) } }

    private func refuse(_ wait: Int?) throws(Problem) {
        guard let wait else { return }
        refusals.increment()
        throw limit.problem(retryAfter: wait)
    }
}
