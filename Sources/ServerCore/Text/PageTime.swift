package import Foundation
import InAppPurchase
import ServerHTTP

/// A time in words: in UTC with the day of the week, and how long ago it was.
package struct PageTime: Sendable {
    package let date: Date
    package let now: Date
    /// The time zone of the text; `nil` for UTC alone.
    private let zone: TimeZone?

    package init(_ date: Date, now: Date, in zone: TimeZone? = nil) {
        self.date = date
        self.now = now
        self.zone = zone
    }

    /// Such as `Tue 17 Nov 2026, 14:05 UTC`, or in a time zone `Tue 17 Nov 2026, 15:05 (14:05 UTC)`.
    package var text: String {
        guard let zone else { return "\(Self.day(of: date)), \(Self.clock(of: date)) UTC" }
        let local = date.addingTimeInterval(TimeInterval(zone.secondsFromGMT(for: date)))
        let (day, utcDay) = (Self.day(of: local), Self.day(of: date))
        let utc = (day == utcDay ? "" : "\(utcDay.prefix { $0 != " " }) ") + Self.clock(of: date)
        return "\(day), \(Self.clock(of: local)) (\(utc) UTC)"
    }

    /// Hours and minutes in UTC.
    private static func clock(of date: Date) -> String {
        date.rfc3339.split { "-T:".contains($0) }.dropFirst(3).prefix(2).joined(separator: ":")
    }

    /// Such as `Tue 17 Nov 2026`, in UTC.
    private static func day(of date: Date) -> String {
        let parts = date.rfc3339.split { "-T:".contains($0) }
        guard parts.count >= 3, let month = Int(parts[1]), months.indices.contains(month - 1), let day = Int(parts[2])
        else { return date.rfc3339 }
        return "\(weekday(of: date)) \(day) \(months[month - 1]) \(parts[0])"
    }

    /// Such as `3 hours ago` or `in 2 days`.
    package var distance: String {
        let seconds = now.timeIntervalSince(date)
        guard abs(seconds) >= 60 else { return "now" }
        let (count, unit) = Self.count(abs(seconds))
        let words = count.counted(unit)
        return seconds > 0 ? "\(words) ago" : "in \(words)"
    }

    private static func count(_ seconds: TimeInterval) -> (Int, String) {
        let units: [(length: TimeInterval, name: String)] = [
            (365 * 86_400, "year"), (86_400, "day"), (3_600, "hour"),
        ]
        for unit in units where seconds >= unit.length {
            return (Int(clamping: (seconds / unit.length).rounded(.down)), unit.name)
        }
        return (Int(clamping: (seconds / 60).rounded(.down)), "minute")
    }

    /// 1970-01-01 was a Thursday.
    private static func weekday(of date: Date) -> String {
        let days = Int(clamping: (date.timeIntervalSince1970 / 86_400).rounded(.down))
        return weekdays[((days % 7) + 7) % 7]
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
