import Foundation

/// A token bucket for each key.
///
/// A bucket is stored as the time at which it is full again (the virtual scheduling algorithm of ITU-T I.371, Annex A),
/// so that a key costs one number and nothing runs between two calls. All times are microseconds since 1970.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// In microseconds. A clock may be set back, and calls from several threads come in another order than they read
    /// it.
    private static var clockTolerance: Int { 60_000_000 }
    private static var latest: Int { 1 << 60 }

    let size: TokenBucketSize
    /// The maximum number of stored buckets; full ones need not be stored.
    let maximumKeys: Int
    private var fullAt: [Key: Int] = [:]
    /// Every dropped bucket is full by this time, or was full when it was dropped. The bucket of an unknown key counts
    /// as full at this time, so that no key gains by being dropped; for each token that new keys are to lack, half of
    /// the table has to be filled anew.
    private var floor = Int.min

    /// - Parameter maximumKeys: the default takes about 5 MB, and is more than the players of one server in a burst's
    ///   time.
    init(_ size: TokenBucketSize, maximumKeys: Int = 100_000) {
        self.size = size
        self.maximumKeys = maximumKeys
    }

    var count: Int { fullAt.count }

    /// Consumes all of the tokens, or none.
    ///
    /// - Parameter count: more than a bucket holds counts as all that it holds.
    /// - Returns: the seconds until there are enough; `nil` if they were consumed.
    mutating func consume(_ count: Int = 1, for key: Key, at date: Date) -> Int? {
        if let wait = wait(for: key, count, at: date) { return wait }
        let now = Self.microseconds(date)
        let time = full(key, now) + cost(count)
        if fullAt[key] == nil, fullAt.count >= maximumKeys { forgetTheFullerHalf(now) }
        fullAt[key] = time
        return nil
    }

    /// The seconds until there are so many tokens; `nil` if there are now.
    func wait(for key: Key, _ count: Int = 1, at date: Date) -> Int? {
        let now = Self.microseconds(date)
        let excess = full(key, now) + cost(count) - now - cost(size.burst)
        return excess > 0 ? (excess - 1) / 1_000_000 + 1 : nil
    }

    /// Whether the bucket of the key is full.
    func isFull(_ key: Key, at date: Date) -> Bool {
        let now = Self.microseconds(date)
        return full(key, now) <= now
    }

    /// Returns a consumed token; a key that was dropped meanwhile is unchanged.
    mutating func release(for key: Key) {
        guard let time = fullAt[key] else { return }
        fullAt[key] = max(time - cost(1), floor)
    }

    private func cost(_ count: Int) -> Int { min(max(count, 0), size.burst) * (60_000_000 / size.perMinute) }

    /// The time at which the bucket is full; now, if it is.
    private func full(_ key: Key, _ now: Int) -> Int {
        let time = fullAt[key] ?? floor
        let isPossible = time <= now + cost(size.burst) + Self.clockTolerance
        return isPossible ? max(time, now) : now
    }

    private mutating func forgetTheFullerHalf(_ now: Int) {
        let times = fullAt.values.sorted()
        let median = times.isEmpty ? now : times[times.count / 2]
        floor = max(floor, median)
        fullAt = fullAt.filter { $0.value > max(median, now) }
    }

    private static func microseconds(_ date: Date) -> Int {
        min(max(Int(clamping: date.timeIntervalSince1970 * 1_000_000), -latest), latest)
    }
}

/// The tokens that a bucket holds, and those that it gains in a minute; both at least 1.
package struct TokenBucketSize: Equatable, Sendable {
    /// Larger numbers limit nothing, and these do not overflow.
    package static let range = 1...1_000_000

    package var burst: Int
    package var perMinute: Int

    package init(burst: Int, perMinute: Int) {
        self.burst = burst
        self.perMinute = perMinute
    }
}
