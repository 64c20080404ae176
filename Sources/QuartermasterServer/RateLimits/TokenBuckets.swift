import Foundation

/// A token bucket for each key: who takes more than is in it has to wait.
///
/// A bucket is kept as the time at which it is full again (the virtual scheduling algorithm of ITU-T I.371, Annex A), so
/// that a key costs one number and nothing runs between two calls. All times are microseconds since 1970.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// A clock may be set back, and callers on several threads come in another order than they looked at it.
    private static var clockTolerance: Int { 60_000_000 }
    private static var latest: Int { 1 << 60 }

    let size: TokenBucketSize
    /// Buckets kept; those that are full need not be.
    let maximumKeys: Int
    private var fullAt: [Key: Int] = [:]
    /// None that was forgotten was emptier than one that is full at this time. Whoever is not known counts as emptied to
    /// here, so that nobody is better off for having been forgotten; and for each token that newcomers are to miss,
    /// somebody has to fill half of the table anew.
    private var floor = Int.min

    /// - Parameter maximumKeys: the default takes about 5 MB, and is more than play at one server in a burst's time.
    init(_ size: TokenBucketSize, maximumKeys: Int = 100_000) {
        self.size = size
        self.maximumKeys = maximumKeys
    }

    var count: Int { fullAt.count }

    /// Takes tokens, or none.
    ///
    /// - Parameter count: more than a bucket holds count as all that it holds.
    /// - Returns: the seconds until there are so many; nil where they were taken.
    mutating func consume(_ count: Int = 1, for key: Key, at date: Date) -> Int? {
        if let wait = wait(for: key, count, at: date) { return wait }
        let now = Self.microseconds(date)
        let time = full(key, now) + cost(count)
        if fullAt[key] == nil, fullAt.count >= maximumKeys { forgetTheFullerHalf(now) }
        fullAt[key] = time
        return nil
    }

    /// The seconds until there are so many tokens; nil where there are now.
    func wait(for key: Key, _ count: Int = 1, at date: Date) -> Int? {
        let now = Self.microseconds(date)
        let excess = full(key, now) + cost(count) - now - cost(size.burst)
        return excess > 0 ? (excess - 1) / 1_000_000 + 1 : nil
    }

    /// Whether the key has all its tokens.
    func isFull(_ key: Key, at date: Date) -> Bool {
        let now = Self.microseconds(date)
        return full(key, now) <= now
    }

    /// Gives a token back that was taken before; a key that was forgotten meanwhile keeps what it has.
    mutating func giveBack(for key: Key) {
        guard let time = fullAt[key] else { return }
        fullAt[key] = max(time - cost(1), floor)
    }

    private func cost(_ count: Int) -> Int { min(max(count, 0), size.burst) * (60_000_000 / size.perMinute) }

    /// When the bucket is full; now, where it is.
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
