package import Foundation

/// The RFC 3339 form of an instant of the years 0000 to 9999 in UTC.
///
/// Written by hand: the answer to a player with many purchases has hundreds of dates, and Foundation's formatter took a
/// third of its time.
package struct RFC3339Text {
    /// The length of `2026-11-20T21:37:00.123Z`.
    package static let maximumBytes = 24

    private var instant: Int

    /// - Returns: `nil` for an instant that RFC 3339 cannot express.
    package init?(_ date: Date) {
        instant = date.milliseconds
        guard Date.writableMilliseconds.contains(instant) else { return nil }
    }

    /// The text of the last whole second that is not after the instant.
    package var roundedDown: RFC3339Text {
        var down = self
        down.instant -= instant.remainder(of: 1_000)
        return down
    }

    /// The text of the first whole second that is not before the instant; the last one that RFC 3339 can express, if
    /// that is earlier.
    package var roundedUp: RFC3339Text {
        var up = roundedDown
        if up.instant < instant, up.instant + 1_000 <= Date.writableMilliseconds.upperBound { up.instant += 1_000 }
        return up
    }

    package var string: String {
        String(unsafeUninitializedCapacity: Self.maximumBytes) { write(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Writes it, with milliseconds only if they are not 0.
    ///
    /// - Parameter bytes: with room for ``maximumBytes``.
    /// - Returns: the number of bytes written.
    package func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        let ofDay = instant.remainder(of: 86_400_000)
        let day = GregorianDay(daysSince1970: (instant - ofDay) / 86_400_000)
        let (seconds, milliseconds) = (ofDay / 1_000, ofDay % 1_000)
        bytes.write(twoDigits: day.year / 100, at: 0)
        bytes.write(twoDigits: day.year % 100, at: 2)
        bytes.write("-", twoDigits: day.month, at: 4)
        bytes.write("-", twoDigits: day.day, at: 7)
        bytes.write("T", twoDigits: seconds / 3_600, at: 10)
        bytes.write(":", twoDigits: seconds / 60 % 60, at: 13)
        bytes.write(":", twoDigits: seconds % 60, at: 16)
        guard milliseconds != 0 else {
            bytes[19] = UInt8(ascii: "Z")
            return 20
        }
        bytes.write(".", twoDigits: milliseconds / 10, at: 19)
        bytes[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds % 10)
        bytes[23] = UInt8(ascii: "Z")
        return Self.maximumBytes
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func write(_ separator: Unicode.Scalar, twoDigits number: Int, at index: Int) {
        self[index] = UInt8(ascii: separator)
        write(twoDigits: number, at: index + 1)
    }

    /// - Parameter number: less than 100.
    fileprivate func write(twoDigits number: Int, at index: Int) {
        self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
        self[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
}

extension Int {
    /// The remainder of a division that rounds down, which is not negative.
    fileprivate func remainder(of divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
