import TestSupport
import Testing

@testable import LedgerSQL

/// Changes that are counted are deleted by ranges of their numbers, without those that another server has claimed.
@Suite struct ConsecutiveNumbersTests {
    @Test func `Ranges have exactly the numbers, and are as few as possible`() {
        var random = SeededGenerator(seed: 18)
        for count in 0..<200 {
            let numbers = Set((0..<count).map { _ in Int.random(in: -5...150, using: &random) }).sorted()
            let ranges = numbers.consecutive
            #expect(ranges.flatMap { Array($0) } == numbers)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound }, "\(ranges)")
        }
        #expect([Int.min, .max].consecutive.count == 2)
    }
}
