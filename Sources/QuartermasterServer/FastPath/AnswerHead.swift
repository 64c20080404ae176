import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The head of a response as bytes, joined from prepared pieces. The format is that of NIO's encoder.
struct AnswerHead {
    /// The time in the form of RFC 9110 §5.6.7, formatted once a second for all connections.
    static let date = CachedDate()

    /// The header fields, one on a line.
    static func lines(_ fields: HTTPFields) -> ByteBuffer {
        ByteBuffer(string: fields.reduce(into: "") { $0 += "\($1.name.rawName): \($1.value)\r\n" })
    }

    let status: HTTPResponse.Status
    /// The prepared header lines, from ``lines(_:)``.
    let fields: ByteBuffer
    /// The first and last position of a part, and the size of the whole.
    var contentRange: (first: Int, last: Int, size: Int)?
    /// The length of the body; `nil` if the status has none.
    var length: Int?
    /// Whether the connection ends with this response.
    let closes: Bool
    /// The request's ID.
    let id: String

    func bytes(at date: Date) -> ByteBuffer {
        var head = ByteBuffer()
        // The head of a content response with range, length, ID and date is about 500 bytes.
        head.reserveCapacity(640)
        head.writeStaticString("HTTP/1.1 ")
        head.write(status.code, " ", status.reasonPhrase, "\r\n")
        head.writeImmutableBuffer(fields)
        if let part = contentRange {
            head.writeStaticString("Content-Range: bytes ")
            head.write(part.first, "-", String(part.last), "/")
            head.write(part.size, "\r\n")
        }
        if let length {
            head.writeStaticString("Content-Length: ")
            head.write(length, "\r\n")
        }
        if closes { head.writeStaticString("Connection: close\r\n") }
        head.writeStaticString("X-Request-Id: ")
        head.writeString(id)
        head.writeStaticString("\r\n")
        head.writeImmutableBuffer(Self.date.line(at: date))
        head.writeStaticString("\r\n")
        return head
    }
}

extension ByteBuffer {
    /// Writes a number and texts without joining them first: a head is written for each response.
    fileprivate mutating func write(_ number: Int, _ texts: String...) {
        writeString(String(number))
        for text in texts { writeString(text) }
    }
}

/// The line of the `Date` header field, formatted again when the second changes.
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
