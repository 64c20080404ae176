import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// IDs of receipts show the time, and nothing that anybody could guess.
@Suite struct ReceiptIDTests {
    private static func id(_ byte: UInt8, at date: Date) -> String {
        Names.receipt({ Array(repeating: byte, count: $0) }, at: date)
    }

    @Test func `Receipt IDs are in the order of time`() throws {
        var generator = SeededGenerator(seed: 18)
        for _ in 0..<1_000 {
            let earlier = Date(milliseconds: Int.random(in: 0..<(1 << 47), using: &generator))
            let later = earlier + Double(Int.random(in: 1...1 << 40, using: &generator)) / 1_000
            let (first, second) = (Self.id(.max, at: earlier), Self.id(0, at: later))
            #expect(Array(first.utf8).lexicographicallyPrecedes(second.utf8), "\(first) \(second)")
            #expect(first.wholeMatch(of: /r_[-0-9A-Z_a-z]{22}/) != nil, "\(first)")
        }
    }

    @Test func `Receipt IDs of one millisecond differ`() {
        let now = Date(milliseconds: 1_795_000_000_000)
        #expect(Set((0..<10_000).map { _ in Names.receipt(systemRandomBytes, at: now) }).count == 10_000)
        // Every bit of the ten bytes is in it.
        let bits = (0..<80).map { bit in
            Names.receipt({ count in (0..<count).map { $0 == bit / 8 ? 1 << UInt8(bit % 8) : 0 } }, at: now)
        }
        #expect(Set(bits + [Self.id(0, at: now)]).count == 81)
    }

    @Test func `A receipt ID of an impossible date does not trap`() {
        for seconds in [-1, -1e300, 1e300, .infinity, .nan, 2.9e11] {
            #expect(Self.id(7, at: Date(timeIntervalSince1970: seconds)).utf8.count == 24)
        }
    }
}
