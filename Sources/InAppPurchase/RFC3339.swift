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
    public var rfc3339: String {
        let instant = milliseconds
        guard Self.writableMilliseconds.contains(instant) else { return beyondRFC3339 }
        // Formatted by hand: Foundation's formatter took a third of the time of a response to a player with many
        // purchases.
        let (milliseconds, time) = (instant.remainder(of: 86_400_000), instant.remainder(of: 86_400_000) / 1_000)
        let day = GregorianDay(daysSince1970: (instant - milliseconds) / 86_400_000)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(day.year, digits: 4)
        text.append(day.month, digits: 2, after: "-")
        text.append(day.day, digits: 2, after: "-")
        text.append(time / 3_600, digits: 2, after: "T")
        text.append(time / 60 % 60, digits: 2, after: ":")
        text.append(time % 60, digits: 2, after: ":")
        if milliseconds % 1_000 != 0 { text.append(milliseconds % 1_000, digits: 3, after: ".") }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The string for an instant that RFC 3339 cannot express.
    private var beyondRFC3339: String {
        let (date, hasFraction) = (wholeMilliseconds, milliseconds % 1000 != 0)
        // Foundation truncates, and binary fractions lie below the decimal ones as often as above.
        return date.addingTimeInterval(hasFraction ? 0.0005 : 0)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}

extension Int {
    /// The remainder of a division that rounds down, which is not negative.
    fileprivate func remainder(of divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

extension [UInt8] {
    /// Appends a number that is not negative, with zeros in front.
    fileprivate mutating func append(_ number: Int, digits: Int, after separator: Unicode.Scalar? = nil) {
        if let separator { append(UInt8(ascii: separator)) }
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
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
            throw mistake(key, "not an RFC 3339 time, such as 2026-12-01T00:00:00Z")
        }
        return date
    }
}
