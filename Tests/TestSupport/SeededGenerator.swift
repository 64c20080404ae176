import Foundation

/// The seeds of a campaign of random histories: a tenth of them, but at least two, or all where `CAMPAIGNS=whole` is
/// set, as `make check-campaigns` does.
package func campaign(of count: UInt64) -> [UInt64] {
    let isWhole = ProcessInfo.processInfo.environment["CAMPAIGNS"] == "whole"
    return Array(1...(isWhole ? count : max(2, (count + 9) / 10)))
}

/// SplitMix64: the same seed gives the same run, so a failure can be seen again. Another `SEED` in the environment,
/// which scripts/test.sh prints, gives other runs.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    private static let run = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 0

    package init(seed: UInt64) { state = seed &+ Self.run &* 0x2545_F491_4F6C_DD1D }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    package mutating func flip() -> Bool { Bool.random(using: &self) }

    /// The first half of the time, else one of the others.
    package mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        others.randomElement(using: &self).flatMap { flip() ? $0 : first } ?? first
    }

    /// Up to `length` of the pieces in a row.
    package mutating func text(of pieces: [String], upTo length: Int) -> String {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }
}
