import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct CalendarDurationTests {
    static let good: [(String, CalendarDuration)] = [
        ("P1M", CalendarDuration(months: 1)), ("P1Y", CalendarDuration(months: 12)),
        ("P1Y6M", CalendarDuration(months: 18)), ("P2W", CalendarDuration(days: 14)),
        ("P1W1D", CalendarDuration(days: 8)), ("P7D", CalendarDuration(days: 7)),
        ("P1DT12H", CalendarDuration(days: 1, seconds: 43_200)), ("PT1S", CalendarDuration(seconds: 1)),
        ("PT1H1M1S", CalendarDuration(seconds: 3661)), ("PT90M", CalendarDuration(seconds: 5400)),
        ("P0Y1M", CalendarDuration(months: 1)), ("P0000000001M", CalendarDuration(months: 1)),
        ("P100Y", CalendarDuration(months: 1200)), ("P1200M", CalendarDuration(months: 1200)),
        ("P36525D", CalendarDuration(days: 36_525)), ("PT3155760000S", CalendarDuration(seconds: 3_155_760_000)),
        ("P1Y2M3DT4H5M6S", CalendarDuration(months: 14, days: 3, seconds: 14_706)),
    ]

    @Test(arguments: good) func `An ISO 8601 duration is read`(text: String, expected: CalendarDuration) {
        #expect(CalendarDuration(iso8601: text) == expected)
    }

    static let bad: [String] = [
        "", "P", "PT", "P1", "1M", "P1MT", "PT1D", "P1H", "T1H", "p1m", "P1m", "P-1M", "-P1M", "P+1M", "P1.5M", "P1,5M",
        "PT0.5S", "P1M1Y", "P1D1W", "P1M1M", " P1M", "P1M ", "P1M\n", "P 1M", "P1M/P1M", "P0D", "PT0S", "P0Y0M0DT0S",
        // Out of range by a little, by a lot, and by more than an integer holds.
        "P101Y", "P1201M", "P36526D", "P5219W", "PT3155760001S", "P100YT1S", "P9999999999Y", "P9999999999W",
        "PT9999999999H", "P99999999999M", "P9223372036854775807M", "P99999999999999999999999999999999D",
        // Digits of other scripts, which ISO 8601 does not allow.
        "P١M", "P1M٣D", "P１M", "P1M2２D", "P1\u{301}M",
        String(repeating: "P1M", count: 10_000), "P" + String(repeating: "1", count: 100_000) + "M",
    ]

    @Test(arguments: bad) func `A text that is no duration, or out of range, is refused`(text: String) {
        #expect(CalendarDuration(iso8601: text) == nil)
    }

    @Test(arguments: good)
    func `A duration is read back as it was written`(text: String, duration: CalendarDuration) throws {
        let written = try JSONEncoder().encode([duration])
        #expect(try JSONDecoder().decode([CalendarDuration].self, from: written) == [duration])
    }

    static let ends: [(String, CalendarDuration, String)] = [
        ("2026-01-31T10:00:00Z", CalendarDuration(months: 1), "2026-02-28T10:00:00Z"),
        ("2026-01-31T10:00:00Z", CalendarDuration(months: 2), "2026-03-31T10:00:00Z"),
        ("2026-01-31T10:00:00Z", CalendarDuration(months: 3), "2026-04-30T10:00:00Z"),
        ("2028-01-31T10:00:00Z", CalendarDuration(months: 1), "2028-02-29T10:00:00Z"),
        ("2028-02-29T10:00:00Z", CalendarDuration(months: 12), "2029-02-28T10:00:00Z"),
        ("2028-02-29T10:00:00Z", CalendarDuration(months: 48), "2032-02-29T10:00:00Z"),
        ("2026-01-31T10:00:00Z", CalendarDuration(months: 1, days: 1), "2026-03-01T10:00:00Z"),
        ("2026-12-31T23:59:59Z", CalendarDuration(seconds: 1), "2027-01-01T00:00:00Z"),
        ("2026-03-28T12:00:00Z", CalendarDuration(days: 1, seconds: 3600), "2026-03-29T13:00:00Z"),
        ("2026-01-01T00:00:00Z", CalendarDuration(months: .max, days: 0, seconds: 0), "3026-01-01T00:00:00Z"),
    ]

    @Test(arguments: ends)
    func `A duration ends by the calendar`(start: String, duration: CalendarDuration, expected: String) throws {
        #expect(duration.end(from: try #require(Date(rfc3339: start))) == Date(rfc3339: expected))
    }

    /// To the millisecond, which is all that is recorded.
    @Test func `Months and days are added as by Foundation`() throws {
        var random = SeededGenerator(seed: 29)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for _ in 0..<20_000 {
            let start = Date(milliseconds: Int.random(in: -30_000_000_000_000...200_000_000_000_000, using: &random))
            let (months, days) = (Int.random(in: 0...1_300, using: &random), Int.random(in: 0...400, using: &random))
            let later = try #require(calendar.date(byAdding: .month, value: months, to: start))
            let end = try #require(calendar.date(byAdding: .day, value: days, to: later))
            let own = CalendarDuration(months: months, days: days).end(from: start)
            try #require(own.milliseconds == end.milliseconds, "\(start.rfc3339) and \(months) months, \(days) days")
        }
    }

    @Test func `Sums and multiples of durations do not overflow`() {
        let most = CalendarDuration(months: .max, days: .max, seconds: .max)
        #expect(most + most == most)
        #expect(most.times(.max) == most)
        #expect(CalendarDuration(months: 1, days: 2).times(3) == CalendarDuration(months: 3, days: 6))
        #expect(most.end(from: day(0)) > day(0))
    }
}
