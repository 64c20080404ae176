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
        self.limit = limit
        self.refusals = refusals
        buckets = Mutex(size.map { TokenBuckets($0) })
    }

    /// Takes tokens.
    ///
    /// - Throws: 429 where there are not so many; none is taken then.
    func consume(_ count: Int = 1, for key: Key, at date: Date) throws(Problem) {
        try refuse(buckets.withLock { $0?.consume(count, for: key, at: date) })
    }

    /// Takes a token; where there is none, returns what ``refuse(with:)`` is to be given if that is the answer.
    func refusal(for key: Key, at date: Date) -> Problem? {
        buckets.withLock { $0?.consume(1, for: key, at: date) }.map { limit.problem(retryAfter: $0) }
    }

    /// Counts a refusal that ``refusal(for:at:)`` returned.
    ///
    /// - Throws: it, always.
    func refuse(with refusal: Problem) throws(Problem) {
        refusals.increment()
        throw refusal
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
        if let wait { try refuse(with: limit.problem(retryAfter: wait)) }
    }
}
