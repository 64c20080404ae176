public import Foundation

/// A duration in calendar units (ISO 8601-1 §5.5.2: `P1M`, `P2W`, `P1DT12H`): months and days have no fixed length.
public struct CalendarDuration: Hashable, Sendable {
    /// The shortest and the longest duration that is accepted: 1 second to 100 years.
    public static let bounds = (shortest: TimeInterval(1), longest: TimeInterval(36_525 * 86_400))

    /// The number of months; a year is 12.
    public var months: Int
    /// The number of days; a week is 7.
    public var days: Int
    /// The number of seconds, hours and minutes included.
    public var seconds: Int

    public init(months: Int = 0, days: Int = 0, seconds: Int = 0) {
        self.months = months
        self.days = days
        self.seconds = seconds
    }

    /// Reads the ISO 8601 form; `nil` if the text is not in that form, or the duration is out of ``bounds``.
    public init?(iso8601 text: String) {
        let form =
            /P(?:(\d{1,10})Y)?(?:(\d{1,10})M)?(?:(\d{1,10})W)?(?:(\d{1,10})D)?(T(?:(\d{1,10})H)?(?:(\d{1,10})M)?(?:(\d{1,10})S)?)?/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form)?.output, text.last != "T" else { return nil }
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        self.init(
            months: number(match.1) * 12 + number(match.2), days: number(match.3) * 7 + number(match.4),
            seconds: number(match.6) * 3600 + number(match.7) * 60 + number(match.8))
        let about = Double(months) * 30.4375 * 86_400 + Double(days) * 86_400 + Double(seconds)
        guard about >= Self.bounds.shortest, about <= Self.bounds.longest else { return nil }
    }

    /// The duration multiplied by `count`; each unit saturates at the largest integer.
    public func times(_ count: Int) -> CalendarDuration {
        CalendarDuration(
            months: months.saturatingMultiplied(by: count), days: days.saturatingMultiplied(by: count),
            seconds: seconds.saturatingMultiplied(by: count))
    }

    /// The sum of two durations, unit by unit; each unit saturates at the largest integer.
    public static func + (left: CalendarDuration, right: CalendarDuration) -> CalendarDuration {
        CalendarDuration(
            months: left.months.saturatingAdding(right.months), days: left.days.saturatingAdding(right.days),
            seconds: left.seconds.saturatingAdding(right.seconds))
    }

    /// The end of the duration that starts at `date`, in the UTC Gregorian calendar: months are added first, then days,
    /// then seconds. A month after 31 January is the last day of February. Sums beyond 1,000 years end after 1,000, and
    /// all end with the year 9999, since later dates have no RFC 3339 form.
    public func end(from date: Date) -> Date {
        let later = date.adding(months: min(months, 12_000))
        // All days in UTC have the same length.
        let latest = later.addingTimeInterval(TimeInterval(min(days, 365_250)) * 86_400)
        let end = latest.addingTimeInterval(TimeInterval(min(seconds, 365_250 * 86_400)))
        return min(end, max(date, Date(milliseconds: Date.writableMilliseconds.upperBound)))
    }
}

extension Date {
    /// The years 1583 to 9999: before, Foundation's calendar is the Julian one.
    private static let gregorianSeconds = TimeInterval(-12_212_553_600)..<253_402_300_800
    /// The days from 1970-01-01 to the reference date of `Date`.
    private static let daysToReference = 11_323

    /// - Parameter months: negative for an earlier date.
    fileprivate func adding(months: Int) -> Date {
        guard months != 0 else { return self }
        guard months > 0, Self.gregorianSeconds.contains(timeIntervalSince1970) else {
            return Calendar.utcGregorian.date(byAdding: .month, value: months, to: self) ?? self
        }
        // Counted from the reference date, since another one would round its fraction.
        let days = (timeIntervalSinceReferenceDate / 86_400).rounded(.down)
        let day = GregorianDay(daysSince1970: Int(days) + Self.daysToReference).adding(months: months)
        let time = timeIntervalSinceReferenceDate - days * 86_400
        return Date(
            timeIntervalSinceReferenceDate: TimeInterval(day.daysSince1970 - Self.daysToReference) * 86_400 + time)
    }
}

extension CalendarDuration: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let duration = CalendarDuration(iso8601: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an ISO 8601 duration between 1 second and 100 years, such as P1M")
        }
        self = duration
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let date = (months == 0 ? "" : "\(months)M") + (days == 0 ? "" : "\(days)D")
        try container.encode("P" + date + (seconds == 0 ? "" : "T\(seconds)S"))
    }
}

extension Calendar {
    static let utcGregorian: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
