import AppStore
import Foundation
import Ledger
import ServerTestSupport
import StoreClient
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// When the App Store is asked again.
@Suite struct RetryPlanTests {
    private static let now = World.start

    private func plan(
        after earlier: Attempts, _ trouble: Unavailability, rest: TimeInterval? = nil
    ) throws -> RetryPlan {
        let random: RandomBytes = { count in [UInt8](repeating: 0xFF, count: count) }
        return try #require(
            RetryPlan(after: earlier, trouble, ambiguousUntil: rest.map { Self.now + $0 }, at: Self.now, random))
    }

    static let others = [
        Unavailability(.temporary), Unavailability(.misconfigured), Unavailability(.ambiguous),
        Unavailability(.temporary, retryDate: now + 10), Unavailability(.misconfigured, retryDate: now + 10_000),
    ]

    /// A receipt that waits hours for somebody to act is asked about no earlier because it was sent again during an
    /// outage.
    @Test(arguments: others, [4_000, 80_000] as [TimeInterval])
    func `A long wait is not shortened by other trouble`(trouble: Unavailability, rest: TimeInterval) throws {
        let plan = try plan(after: Attempts(count: 2, badRequests: 1), trouble, rest: rest)
        #expect(plan.delay == rest)
        #expect(plan.attempts.badRequests == 1 && plan.attempts.ambiguous == 0)
    }

    @Test func `A wait that is over is not added to the next`() throws {
        let earlier = Attempts(count: 2, badRequests: 1)
        for rest in [nil, -5, 0] as [TimeInterval?] {
            #expect(try plan(after: earlier, Unavailability(.temporary), rest: rest).delay <= RetryPlan.cap)
            #expect(
                try plan(after: earlier, Unavailability(.misconfigured), rest: rest).delay
                    == RetryPlan.misconfiguredWait)
        }
        #expect(try plan(after: Attempts(ambiguous: 1), Unavailability(.temporary), rest: 300).delay <= RetryPlan.cap)
        let late = Unavailability(.temporary, retryDate: Self.now + 90_000)
        #expect(try plan(after: Attempts(), late).delay == RetryPlan.maximumWait)
    }

    /// 21002 means "malformed" only after several in a row.
    @Test(arguments: [Unavailability.Cause.temporary, .misconfigured, .badRequest])
    func `Any other answer resets the count of ambiguous answers`(cause: Unavailability.Cause) throws {
        let earlier = Attempts(count: 2, ambiguous: RetryPlan.maximumAmbiguous - 1)
        let plan = try plan(after: earlier, Unavailability(cause))
        #expect(plan.attempts.ambiguous == 0)
        let random: RandomBytes = { count in [UInt8](repeating: 0, count: count) }
        #expect(RetryPlan(after: earlier, Unavailability(.ambiguous), at: Self.now, random) == nil)
    }
}
