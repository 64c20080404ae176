package import Foundation

/// A date as header fields have it (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let form: Date.FormatString = """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """
    private static let locale = Locale(identifier: "en_US_POSIX")
    private static let calendar = Calendar(identifier: .gregorian)
    private static let style = Date.VerbatimFormatStyle(
        format: form, locale: locale, timeZone: .gmt, calendar: calendar)
    private static let strategy = Date.ParseStrategy(
        format: form, locale: locale, timeZone: .gmt, calendar: calendar, isLenient: false)

    /// The text of a date, in whole seconds.
    package static func text(of date: Date) -> String { date.formatted(style) }

    /// The date in a text; `nil` for any other form, also the two obsolete ones.
    package static func date(in text: String) -> Date? { try? Date(text, strategy: strategy) }
}
