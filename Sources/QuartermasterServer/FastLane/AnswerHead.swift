import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The head of an answer as bytes, made of pieces that are ready. Written as NIO's encoder writes it.
struct AnswerHead {
    /// The time in the form of RFC 9110 §5.6.7, made once a second for all connections.
    static let date = CachedDate()

    /// Each field as a line.
    static func lines(_ fields: HTTPFields) -> ByteBuffer {
        ByteBuffer(string: fields.reduce(into: "") { $0 += "\($1.name.rawName): \($1.value)\r\n" })
    }

    /// - Parameters:
    ///   - fields: as ``lines(_:)`` makes them.
    ///   - contentRange: of a part: its positions and the size of the whole.
    ///   - length: nil where the status has no body.
    static func bytes(
        _ status: HTTPResponse.Status, _ fields: ByteBuffer, contentRange: (first: Int, last: Int, size: Int)? = nil,
        length: Int?, id: RequestID, at date: Date
    ) -> ByteBuffer {
        var head = ByteBuffer()
        // Those of content, with range, length, ID and date, are about 500 bytes.
        head.reserveCapacity(640)
        head.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        head.writeImmutableBuffer(fields)
        if let contentRange {
            head.writeString("Content-Range: bytes \(contentRange.first)-\(contentRange.last)/\(contentRange.size)\r\n")
        }
        if let length { head.writeString("Content-Length: \(length)\r\n") }
        head.writeString("X-Request-Id: \(id)\r\n")
        head.writeImmutableBuffer(Self.date.line(at: date))
        head.writeStaticString("\r\n")
        return head
    }
}

/// The line of the `Date` header, made anew when the second changes.
final class CachedDate: Sendable {
    private static let format = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))

    private let cached = Mutex((second: Int.min, line: ByteBuffer()))

    func line(at date: Date) -> ByteBuffer {
        let second = Int(clamping: date.timeIntervalSince1970.rounded(.down))
        return cached.withLock { cached in
            if cached.second != second {
                cached = (second, ByteBuffer(string: "Date: \(date.formatted(Self.format))\r\n"))
            }
            return cached.line
        }
    }
}
