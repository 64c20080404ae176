import Foundation
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

@Suite struct ServerAPIPacerTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static let keys = RateLimit.allCases.flatMap { limit in
        [Environment.production, .sandbox].map {
            RateLimitKey(app: "com.example.hangman", environment: $0, limit: limit)
        }
    }

    /// Apple counts by the hour, so no hour may have more, whoever asks when.
    @Test(arguments: keys) func `No hour has more requests than Apple allows`(_ key: RateLimitKey) {
        var generator = SeededGenerator(seed: UInt64(key.limit.rawValue))
        let pacer = RequestPacer<RateLimitKey>()
        var now = Duration.zero
        var turns: [Duration] = []
        let limit = key.limit.rawValue * 3600 / (key.environment == .production ? 1 : 10)
        while now < .seconds(2 * 3600), turns.count < 3 * limit {
            if generator.flip(),
                case .after(let wait) = pacer.enter(
                    key, at: start.addingTimeInterval(now / .seconds(1)), within: .seconds(600))
            {
                turns.append(now + wait)
                if wait > .zero { pacer.leave(key) }
            } else {
                now += .milliseconds(Int.random(in: 0...2_000, using: &generator))
            }
        }
        #expect(turns == turns.sorted())
        var first = 0
        for (index, turn) in turns.enumerated() {
            while turns[first] <= turn - .seconds(3600) { first += 1 }
            if index - first + 1 > limit { Issue.record("\(index - first + 1) in an hour"); return }
        }
        // And they are used: the burst, and nearly all of the hour after it.
        #expect(turns.count { $0 < .seconds(3600) } > limit / 60)
    }

    @Test(arguments: keys) func `The requests of a minute go at once`(_ key: RateLimitKey) {
        let pacer = RequestPacer<RateLimitKey>()
        let burst = key.limit.rawValue * 59 / (key.environment == .production ? 1 : 10)
        for _ in 0..<burst { #expect(pacer.enter(key, at: start, within: .seconds(1)) == .after(.zero)) }
        let others = Self.keys.filter { $0 != key }
        for other in others { #expect(pacer.enter(other, at: start, within: .seconds(1)) == .after(.zero)) }
        #expect(pacer.enter(key, at: start, within: .seconds(3600)) != .after(.zero))
    }

    /// However many questions anybody causes, the others go at once.
    @Test func `Who comes last leaves half of the burst to others`() throws {
        let (pacer, key) = (RequestPacer<RateLimitKey>(), try #require(Self.keys.first))
        func areAtOnce(_ number: Int, isLast: Bool) -> Bool {
            (0..<number).allSatisfy { _ in
                pacer.enter(key, at: start, within: .seconds(1), isLast: isLast) == .after(.zero)
            }
        }
        let half = key.limit.rawValue * 59 / 2
        #expect(areAtOnce(half, isLast: true) && !areAtOnce(2, isLast: true))
        #expect(areAtOnce(half - 2, isLast: false) && !areAtOnce(4, isLast: false))
    }

    @Test func `The queue of paced requests is limited`() throws {
        let (pacer, key) = (RequestPacer<RateLimitKey>(), try #require(Self.keys.first))
        func isAdmitted() -> Bool {
            if case .after = pacer.enter(key, at: start, within: .seconds(600)) { true } else { false }
        }
        let admitted = (0..<10_000).count { _ in isAdmitted() }
        let queueLength = RequestPacer<RateLimitKey>.queueLength
        #expect((59 * 50 + queueLength...60 * 50 + queueLength).contains(admitted))
        pacer.leave(key)
        #expect(isAdmitted())
        #expect(!isAdmitted())
    }

    @Test func `A request without time to wait is refused and reserves nothing`() throws {
        let key = RateLimitKey(app: "com.example.hangman", environment: .sandbox, limit: .tests)
        let pacer = RequestPacer<RateLimitKey>()
        while pacer.enter(key, at: start, within: .zero) == .after(.zero) {}
        guard case .refused(let wait) = pacer.enter(key, at: start, within: .seconds(1)) else {
            return #expect(Bool(false), "let through")
        }
        #expect(wait > .seconds(1) && wait < .seconds(11))
        // Nothing was reserved for those that went away.
        #expect(pacer.enter(key, at: start, within: .seconds(600)) == .after(wait))
    }

    @Test(arguments: [(30, 30), (0, 0), (-5, 0), (100_000, 3600)])
    func `Requests pause until the latest date that the store named`(_ seconds: Int, _ expected: Int) throws {
        let (pacer, key) = (RequestPacer<RateLimitKey>(), try #require(Self.keys.first))
        pacer.pause(key, at: start, until: start.addingTimeInterval(TimeInterval(seconds)))
        // A shorter pause does not end a longer one.
        pacer.pause(key, at: start, until: start)
        #expect(pacer.enter(key, at: start, within: .seconds(1 << 20)) == .after(.seconds(expected)))
        #expect(pacer.enter(key, at: start, within: .seconds(1 << 20)) == .after(.seconds(expected) + key.interval))
    }

    @Test func `A clock that is set back pauses nobody for ever`() throws {
        let (pacer, key) = (RequestPacer<RateLimitKey>(), try #require(Self.keys.first))
        pacer.pause(key, at: start, until: start.addingTimeInterval(30))
        let turn = pacer.enter(key, at: start.addingTimeInterval(-86_400), within: .seconds(1))
        #expect(turn == .refused(RequestPacer<RateLimitKey>.maximumPause + RateLimitKey.burst - key.tolerance))
        #expect(pacer.enter(key, at: start.addingTimeInterval(30), within: .seconds(1)) == .after(.zero))
    }
}
