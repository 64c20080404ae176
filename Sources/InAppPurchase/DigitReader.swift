/// Reads the parts of an RFC 3339 date and time (§5.6) one after the other.
struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips the character if it comes next, and returns whether it did.
    mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `count` digits; `nil` if there are fewer, or it is out of range.
    private mutating func number(digits count: Int, in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return range.contains(number) ? number : nil
    }

    /// Reads a date such as `2026-11-20`, in days since 1970-01-01 in the Gregorian calendar.
    mutating func days() -> Int? {
        guard let year = number(digits: 4, in: 0...9999), consume("-"), let month = number(digits: 2, in: 1...12),
            consume("-"), let day = number(digits: 2, in: 1...GregorianDay.days(of: month, in: year))
        else { return nil }
        return GregorianDay(year: year, month: month, day: day).daysSince1970
    }

    /// Reads a time such as `21:37:00`, in seconds since midnight; `nil` for leap seconds, which no clock here can
    /// represent.
    mutating func seconds() -> Int? {
        guard let hour = number(digits: 2, in: 0...23), consume(":"), let minute = number(digits: 2, in: 0...59),
            consume(":"), let second = number(digits: 2, in: 0...59)
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    /// Reads a fraction such as `.123`, rounded to milliseconds; 0 if there is none, `nil` for more than nine digits.
    mutating func milliseconds() -> Int? {
        guard consume(".") else { return 0 }
        let digits = rest.prefix { $0.isDigit }.prefix(10).count
        guard (1...9).contains(digits), var nanoseconds = number(digits: digits, in: 0...999_999_999) else {
            return nil
        }
        for _ in digits..<9 { nanoseconds *= 10 }
        return (nanoseconds + 500_000) / 1_000_000
    }

    /// Reads an offset, `Z` or `+02:00`, in seconds.
    mutating func offset() -> Int? {
        if consume("Z") { return 0 }
        let isEast = consume("+")
        guard isEast || consume("-"), let hour = number(digits: 2, in: 0...23), consume(":"),
            let minute = number(digits: 2, in: 0...59)
        else { return nil }
        return (isEast ? 1 : -1) * (hour * 60 + minute) * 60
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
