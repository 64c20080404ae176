import Foundation
import NIOCore
import Synchronization

/// The line of the `Date` header field, formatted again when the second changes.
final class CachedDate: Sendable {
    /// The maximum bytes of a line, which are more than one with a year of four digits has.
    static let maximumLineBytes = 48

    private static let format = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))

    private let cached = Mutex((second: Int.min, text: "", line: ByteBuffer()))

    func line(at date: Date) -> ByteBuffer { with(date) { $0.line } }

    /// The value of the field.
    func text(at date: Date) -> String { with(date) { $0.text } }

    private func with<Result>(
        _ date: Date, _ read: (borrowing (second: Int, text: String, line: ByteBuffer)) -> Result
    ) -> Result {
        let second = Int(clamping: date.timeIntervalSince1970.rounded(.down))
        return cached.withLock { cached in
            if cached.second != second {
                let text = date.formatted(Self.format)
                cached = (second, text, ByteBuffer(string: "Date: \(text)\r\n"))
            }
            return read(cached)
        }
    }
}
