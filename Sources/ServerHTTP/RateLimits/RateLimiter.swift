package import CoreMetrics
package import Foundation
import Synchronization

/// A rate limiter with a token bucket for each key.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    /// The things that are too many, in words.
    private let words: String
    /// The buckets; `nil` if the limit is off.
    private let buckets: Mutex<TokenBuckets<Key>?>
    private let refusals: Counter

    /// - Parameters:
    ///   - words: what is limited, such as "receipts from this account".
    ///   - size: `nil` switches the limit off.
    package init(_ words: String, _ size: TokenBucketSize?, refusals: Counter) {
        self.words = words
        self.refusals = refusals
        buckets = Mutex(size.map { TokenBuckets($0) })
    }

    /// Consumes tokens.
    ///
    /// - Throws: 429 if there are fewer; none is consumed then.
    package func consume(_ count: Int = 1, for key: Key, at date: Date) throws(Problem) {
        try refuse(buckets.withLock { $0?.consume(count, for: key, at: date) })
    }

    /// Consumes a token. If there is none, returns the refusal to pass to ``refuse(with:)`` in case that is the
    /// response.
    package func refusal(for key: Key, at date: Date) -> Problem? {
        buckets.withLock { $0?.consume(1, for: key, at: date) }.map(problem)
    }

    /// Counts a refusal that ``refusal(for:at:)`` returned.
    ///
    /// - Throws: the refusal, always.
    package func refuse(with refusal: Problem) throws(Problem) {
        refusals.increment()
        throw refusal
    }

    /// Whether tokens of the key are missing from its bucket now.
    package func isTaken(_ key: Key, at date: Date) -> Bool {
        buckets.withLock { $0.map { !$0.isFull(key, at: date) } ?? false }
    }

    /// Returns a token that was consumed for what turned out not to count.
    package func release(for key: Key) { buckets.withLock { $0?.release(for: key) } }

    private func refuse(_ wait: Int?) throws(Problem) {
        if let wait { try refuse(with: problem(retryAfter: wait)) }
    }

    private func problem(retryAfter seconds: Int) -> Problem {
        Problem.tooManyRequests("Too many \(words).", retryAfter: seconds)
    }
}
