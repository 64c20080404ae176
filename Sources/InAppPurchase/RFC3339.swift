public import Foundation

extension Date {
    /// Reads `2026-11-20T21:37:00Z`, with or without a fraction of a second, with `Z` or an offset.
    public init?(rfc3339 text: String) {
        let whole = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
        let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? whole.parse(text)) ?? (try? fraction.parse(text)) else { return nil }
        self = date
    }

    /// In UTC, with milliseconds only where there are any.
    public var rfc3339: String {
        let date = wholeMilliseconds
        return date.formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: date.milliseconds % 1000 != 0))
    }
}
