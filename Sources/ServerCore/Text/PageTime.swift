package import Foundation
import InAppPurchase
import ServerHTTP

/// A time in words: in UTC with the day of the week, and how long ago it was.
package struct PageTime: Sendable {
    package let date: Date
    package let now: Date

    package init(_ date: Date, now: Date) {
        self.date = date
        self.now = now
    }

    /// Such as `Tue 17 Nov 2026, 14:05 UTC`.
    package var text: String {
        let parts = date.rfc3339.split { "-T:".contains($0) }
        guard parts.count >= 5, let month = Int(parts[1]), Self.months.indices.contains(month - 1),
            let day = Int(parts[2])
        else { return date.rfc3339 }
        return "\(weekday) \(day) \(Self.months[month - 1]) \(parts[0]), \(parts[3]):\(parts[4]) UTC"
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
    private var weekday: String {
        let days = Int(clamping: (date.timeIntervalSince1970 / 86_400).rounded(.down))
        return Self.weekdays[((days % 7) + 7) % 7]
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
