import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct RFC3339Tests {
    static let good: [(String, Int)] = [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-01T00:00:00Z", 1_767_225_600_000),
        ("2026-01-01T02:00:00+02:00", 1_767_225_600_000), ("2025-12-31T19:00:00-05:00", 1_767_225_600_000),
        ("2026-01-01T00:00:00.5Z", 1_767_225_600_500), ("2026-01-01T00:00:00.123Z", 1_767_225_600_123),
        ("2028-02-29T23:59:59Z", 1_835_481_599_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ]

    @Test(arguments: good) func `RFC 3339 times are read`(text: String, milliseconds: Int) {
        #expect(Date(rfc3339: text)?.milliseconds == milliseconds)
    }

    /// Invalid times, among them those that a lenient reader carries over into the next month or day.
    static let bad: [String] = [
        "", "-", "yesterday", "2026-12-01", "2026-12-01T00:00:00", "2026-12-01 00:00:00Z", "20261201T000000Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-04-31T00:00:00+02:00", "2026-12-01T24:00:00Z", "2026-12-01T25:00:00Z", "2026-12-01T00:60:00Z",
        "2026-12-01T00:00:61Z", "2026-12-01T00:00:00+99:99", "2026-12-01T00:00:00Zulu", "2026-12-01T00:00:00Z ",
        " 2026-12-01T00:00:00Z", "2026-12-01T00:00:00.Z", "999999999-01-01T00:00:00Z", "٢٠٢٦-01-01T00:00:00Z",
        "9999-12-31T23:59:59-00:01", "9999-12-31T00:01:00-23:59", "9999-12-31T23:59:59.9999Z",
        "0000-01-01T00:00:00+00:01", "10000-01-01T00:00:00Z",
        "2026-12-01T00:00:00." + String(repeating: "9", count: 100_000) + "Z",
    ]

    @Test(arguments: bad) func `Invalid times are refused`(text: String) { #expect(Date(rfc3339: text) == nil) }

    @Test(arguments: [0, 1_767_225_600_000, 4_102_444_800_000])
    func `Every millisecond is written and read back`(start: Int) throws {
        for milliseconds in start..<start + 1000 {
            let date = Date(milliseconds: milliseconds)
            try #require(Date(rfc3339: date.rfc3339) == date)
        }
    }

    /// Foundation writes the same calendar.
    @Test func `Every day is written and read back`() throws {
        let day = 86_400_000
        for milliseconds in stride(from: 0, to: 253_402_300_799_999, by: 997 * day + 1_234_567) {
            let date = Date(milliseconds: milliseconds)
            try #require(Date(rfc3339: date.rfc3339) == date, "\(date.rfc3339)")
        }
        for number in 0..<3000 {
            let date = Date(milliseconds: 1_600_000_000_000 + number * day)
            try #require(Date(rfc3339: date.rfc3339) == date, "\(date.rfc3339)")
        }
    }

    @Test func `Milliseconds are written only if there are any`() {
        #expect(Date(milliseconds: 1_767_225_600_000).rfc3339 == "2026-01-01T00:00:00Z")
        #expect(Date(milliseconds: 1_767_225_600_120).rfc3339 == "2026-01-01T00:00:00.120Z")
    }

    /// From 1583 on: before, Foundation's calendar is the Julian one.
    @Test func `Times are written as by Foundation`() throws {
        var random = SeededGenerator(seed: 31)
        for number in 0..<20_000 {
            let instant = Int.random(in: -12_212_553_600_000...253_402_300_799_999, using: &random)
            let date = Date(milliseconds: number.isMultiple(of: 2) ? instant : instant / 1_000 * 1_000)
            let hasFraction = date.milliseconds % 1_000 != 0
            let foundations = date.addingTimeInterval(hasFraction ? 0.0005 : 0)
                .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
            try #require(date.rfc3339 == foundations)
        }
    }

    @Test func `Every year from 0000 to 9999 is written and read back`() throws {
        let (first, last) = (-62_167_219_200_000, 253_402_300_799_999)
        for milliseconds in stride(from: first, through: last, by: 97 * 86_400_000) {
            let date = Date(milliseconds: milliseconds)
            try #require(date.rfc3339.utf8.count == 20 && Date(rfc3339: date.rfc3339) == date, "\(date.rfc3339)")
        }
        #expect(Date(milliseconds: -62_167_219_200_000).rfc3339 == "0000-01-01T00:00:00Z")
        #expect(Date(milliseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
        #expect(Date(milliseconds: 253_402_300_799_999).rfc3339 == "9999-12-31T23:59:59.999Z")
    }
}
