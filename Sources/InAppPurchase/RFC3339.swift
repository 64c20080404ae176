public import Foundation

extension Date {
    /// Reads `2026-11-20T21:37:00Z`, with or without a fraction of a second (kept to the millisecond), with `Z` or an
    /// offset. Nil for anything else, also for days and hours that no calendar has.
    public init?(rfc3339 text: String) {
        let form = /([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})/
        guard let (_, local, fraction) = text.wholeMatch(of: form)?.output, Self.isOnCalendar(local) else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction != nil)
        guard let date = try? style.parse(text) else { return nil }
        self = date.wholeMilliseconds
    }

    /// Foundation's parser carries 30 February over into March.
    private static func isOnCalendar(_ local: Substring) -> Bool {
        let style = Date.ISO8601FormatStyle()
        return (try? style.parse(local + "Z"))?.formatted(style) == local + "Z"
    }

    /// In UTC, with milliseconds only where there are any.
    public var rfc3339: String {
        let (date, hasFraction) = (wholeMilliseconds, milliseconds % 1000 != 0)
        // Foundation cuts the rest off, and binary fractions lie below the decimal ones as often as above.
        return date.addingTimeInterval(hasFraction ? 0.0005 : 0)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a setting that is an RFC 3339 time, such as `2026-12-01T00:00:00Z`; nil where it is absent or null. What
    /// writes the setting back writes its ``Foundation/Date/rfc3339``.
    ///
    /// `Date`'s own decoding reads a number of seconds since 2001, which nobody means in `products.json`.
    ///
    /// - Throws: `DecodingError` with the path to `key`.
    public func decodeTimeIfPresent(forKey key: Key) throws -> Date? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let date = Date(rfc3339: text) else {
            throw mistake(key, "not an RFC 3339 time, such as 2026-12-01T00:00:00Z")
        }
        return date
    }
}
