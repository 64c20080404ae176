import Basics
package import Foundation
package import HTTPTypes
import Hummingbird
package import NIOCore
import Synchronization

/// The head of a response as bytes, joined from prepared pieces; only the request's ID and the date are added when it
/// is sent. The format is that of NIO's encoder.
package struct AnswerHead {
    /// The time in the form of RFC 9110 §5.6.7, formatted once a second for all connections.
    package static let date = CachedDate()

    /// The header fields, one on a line.
    package static func lines(_ fields: HTTPFields) -> ByteBuffer {
        ByteBuffer(string: fields.reduce(into: "") { $0 += "\($1.name.rawName): \($1.value)\r\n" })
    }

    package let status: HTTPResponse.Status
    /// Everything before the request's ID.
    private let start: ByteBuffer

    /// - Parameters:
    ///   - fields: the prepared header lines, from ``lines(_:)``.
    ///   - contentRange: the first and last position of a part, and the size of the whole.
    ///   - length: the length of the body; `nil` if the status has none.
    ///   - closes: whether the connection ends with this response.
    package init(
        _ status: HTTPResponse.Status, _ fields: ByteBuffer, contentRange: (first: Int, last: Int, size: Int)? = nil,
        length: Int?, closes: Bool
    ) {
        self.status = status
        var start = ByteBuffer(string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        // What follows the fields is about 100 bytes.
        start.reserveCapacity(minimumWritableBytes: fields.readableBytes + 128)
        start.writeImmutableBuffer(fields)
        if let part = contentRange {
            start.writeString("Content-Range: bytes \(part.first)-\(part.last)/\(part.size)\r\n")
        }
        if let length { start.writeString("Content-Length: \(length)\r\n") }
        if closes { start.writeStaticString("Connection: close\r\n") }
        start.writeStaticString("X-Request-Id: ")
        self.start = start
    }

    /// A little more than the size of the whole head.
    package var byteCount: Int { start.readableBytes + RequestIDs.ID.characters + CachedDate.maximumLineBytes + 4 }

    package func write(to buffer: inout ByteBuffer, _ id: RequestIDs.ID, at date: Date) {
        buffer.writeImmutableBuffer(start)
        id.write(to: &buffer)
        buffer.writeStaticString("\r\n")
        buffer.writeImmutableBuffer(Self.date.line(at: date))
        buffer.writeStaticString("\r\n")
    }
}

/// The line of the `Date` header field, formatted again when the second changes.
package final class CachedDate: Sendable {
    /// The maximum bytes of a line, which are more than one with a year of four digits has.
    static let maximumLineBytes = 48

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
                let text = HTTPDate.text(of: date)
                cached = (second, text, ByteBuffer(string: "Date: \(text)\r\n"))
            }
            return read(cached)
        }
    }
}
