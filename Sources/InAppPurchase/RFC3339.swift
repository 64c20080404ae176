public import Foundation

extension Date {
    /// Parses `2026-11-20T21:37:00Z`, with or without a fraction of a second (rounded to milliseconds), with `Z` or an
    /// offset. `nil` for anything else, including days and hours that do not exist, and instants that an offset or
    /// rounding takes out of the years 0000 to 9999, which RFC 3339 cannot express (§5.6).
    public init?(rfc3339 text: String) {
        // Parsed by hand: receipts have a date in every purchase, and a pattern with Foundation's parser took 3 ms for
        // each.
        var reader = DigitReader(text.utf8[...])
        guard let days = reader.days(), reader.consume("T"), let seconds = reader.seconds(),
            let milliseconds = reader.milliseconds(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let instant = (days * 86_400 + seconds - offset) * 1000 + milliseconds
        guard Self.writableMilliseconds.contains(instant) else { return nil }
        self.init(milliseconds: instant)
    }

    /// The instants of the years 0000 to 9999, the only ones that RFC 3339 can express, in milliseconds since 1970.
    package static let writableMilliseconds = -62_167_219_200_000...253_402_300_799_999

    /// The RFC 3339 form in UTC, with milliseconds only if they are not 0.
    public var rfc3339: String { RFC3339Text(self)?.string ?? beyondRFC3339 }

    /// The string for an instant that RFC 3339 cannot express.
    private var beyondRFC3339: String {
        let (date, hasFraction) = (wholeMilliseconds, milliseconds % 1000 != 0)
        // Foundation truncates, and binary fractions lie below the decimal ones as often as above.
        return date.addingTimeInterval(hasFraction ? 0.0005 : 0)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a setting that is an RFC 3339 time, such as `2026-12-01T00:00:00Z`; `nil` if it is absent or null. To
    /// encode the setting again, write its `Date.rfc3339`.
    ///
    /// `Date`'s own decoding reads a number of seconds since 2001, which nobody means in `products.json`.
    ///
    /// - Throws: `DecodingError` with the path to `key`.
    public func decodeTimeIfPresent(forKey key: Key) throws -> Date? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let date = Date(rfc3339: text) else {
            throw invalid(key, "not an RFC 3339 time, such as 2026-12-01T00:00:00Z")
        }
        return date
    }
}
