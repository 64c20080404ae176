import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// How many, how fast, and that neither a clock nor a full table gives more.
@Suite struct TokenBucketTests {
    static let size = TokenBucketSize(burst: 5, perMinute: 6)

    /// The tokens that are taken after this many seconds, and the seconds to wait if they are not there.
    static let story: [(after: TimeInterval, count: Int, wait: Int?)] = [
        (0, 5, nil), (0, 1, 10), (9.999_999, 1, 1), (0.000_001, 1, nil), (0, 1, 10), (25, 3, 5), (0, 2, nil),
        (0, 0, nil), (600, 5, nil), (0, 5, 50), (49, 6, 1), (1, 6, nil), (0, .max, 50), (0, .min, nil),
    ]

    @Test func `A bucket gives its burst at once and then as fast as it fills`() {
        var (buckets, date) = (TokenBuckets<String>(Self.size), World.start)
        for (place, step) in Self.story.enumerated() {
            date += step.after
            let before = buckets.wait(for: "a", step.count, at: date)
            #expect(
                before == step.wait && buckets.consume(step.count, for: "a", at: date) == step.wait, "step \(place)")
            #expect(buckets.consume(0, for: "b", at: date) == nil)
        }
    }

    /// However many come in whatever order, within any time no more than the burst and what was gained.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `A bucket never gives more than its burst and what was gained`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = TokenBucketSize(
            burst: Int.random(in: 1...20, using: &generator), perMinute: Int.random(in: 1...600, using: &generator))
        var (buckets, time, taken) = (TokenBuckets<Int>(size), 0.0, 0.0)
        for _ in 0..<500 {
            time += Double.random(in: 0...3, using: &generator)
            let count = Int.random(in: 1...size.burst, using: &generator)
            let date = World.start + time
            if let wait = buckets.consume(count, for: 1, at: date) {
                #expect(wait >= 1 && buckets.wait(for: 1, count, at: date + Double(wait)) == nil)
            } else {
                taken += Double(count)
            }
            #expect(taken <= Double(size.burst) + time * Double(size.perMinute) / 60 + 0.01)
        }
    }

    /// Coming with more keys than are kept gives nothing that an unlimited table would not give.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `A bucket that was dropped from the table gives nobody more`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (small, large) = (TokenBuckets<Int>(Self.size, maximumKeys: 8), TokenBuckets<Int>(Self.size))
        var date = World.start
        for _ in 0..<2_000 {
            date += Double.random(in: 0...2, using: &generator)
            let (key, count) = (Int.random(in: 0..<40, using: &generator), Int.random(in: 1...3, using: &generator))
            if small.wait(for: key, count, at: date) == nil {
                #expect(large.consume(count, for: key, at: date) == nil)
                #expect(small.consume(count, for: key, at: date) == nil)
            }
            #expect(small.count <= 8)
        }
        #expect(large.count == 40)
    }

    /// Those that took little are dropped first, and a newcomer pays no more than that.
    @Test func `A full table of buckets shuts nobody out`() {
        var buckets = TokenBuckets<Int>(Self.size, maximumKeys: 100)
        #expect(buckets.consume(5, for: -1, at: World.start) == nil)
        for key in 0..<140 { #expect(buckets.consume(for: key, at: World.start) == nil) }
        #expect(buckets.consume(for: -1, at: World.start) == 10 && buckets.count == 42)
        #expect(buckets.consume(4, for: -2, at: World.start) == nil)
        #expect(buckets.consume(5, for: -3, at: World.start + 10) == nil)
    }

    @Test func `A clock that is set back shuts nobody out`() {
        var buckets = TokenBuckets<Int>(Self.size)
        #expect(buckets.consume(5, for: 1, at: World.start) == nil)
        // A few seconds are callers in another order, and no gift.
        #expect(buckets.consume(for: 1, at: World.start - 5) == 15)
        #expect(buckets.consume(5, for: 1, at: World.start - 86_400) == nil)
        #expect(buckets.consume(for: 1, at: World.start - 86_400) == 10)
    }

    @Test func `No size, date or count makes a bucket overflow`() {
        let most = TokenBucketSize.range.upperBound
        for size in [TokenBucketSize(burst: most, perMinute: 1), TokenBucketSize(burst: 1, perMinute: most)] {
            for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity), World.start] {
                var buckets = TokenBuckets<Int>(size, maximumKeys: 1)
                let longest = size.burst * 60 / size.perMinute + 1
                for key in 0..<9 {
                    let wait = buckets.consume(.max, for: key, at: date)
                    #expect(wait.map { (1...longest).contains($0) } ?? (key < 2), "\(size) \(date) \(key)")
                }
            }
        }
    }
}
