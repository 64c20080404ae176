import Foundation
import NIOCore
import ServerCore
import ServerHTTP

/// Reads a form with files (`multipart/form-data`, RFC 7578) as it arrives; it holds little more than what is passed to
/// it at once.
struct MultipartParser: Sendable {
    enum Event: Hashable, Sendable {
        case part(MultipartHead)
        /// Bytes of the last part.
        case bytes(ByteBuffer)
        /// The end of the last part.
        case end
    }

    private enum State {
        /// Before the first delimiter; what is there is ignored.
        case preamble
        /// After a delimiter: the next part, or the end.
        case delimiter
        case head
        case body
        case done
    }

    /// The maximum length of a boundary (RFC 2046 §5.1.1).
    private static let maximumBoundary = 70
    /// The maximum number of bytes of a head: the name of a field and the path of a file, escaped.
    static let maximumHead = 8 << 10
    /// The maximum number of files and fields together.
    static let maximumParts = 2_000

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var pending = ByteBuffer()
    private var parts = 0

    /// - Parameter contentType: the request's header field.
    /// - Throws: ``MultipartError``
    init(contentType: String?) throws(MultipartError) {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data"),
            let match = contentType.firstMatch(of: /;\s*[Bb][Oo][Uu][Nn][Dd][Aa][Rr][Yy]=(?:"([^"\r\n]+)"|([^;\s"]+))/),
            let boundary = match.output.1 ?? match.output.2, boundary.utf8.count <= Self.maximumBoundary
        else { throw .notAForm }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter need not have a line before it.
        pending.writeString("\r\n")
    }

    /// Reads the next bytes of the body.
    ///
    /// - Throws: ``MultipartError``
    mutating func read(_ bytes: ByteBuffer) throws(MultipartError) -> [Event] {
        pending.writeImmutableBuffer(bytes)
        var events: [Event] = []
        while try step(&events) {}
        pending.discardReadBytes()
        return events
    }

    /// - Throws: ``MultipartError`` if the form is incomplete.
    func finish() throws(MultipartError) { guard case .done = state else { throw .unfinished } }

    /// - Returns: whether the pending bytes may contain more.
    private mutating func step(_ events: inout [Event]) throws(MultipartError) -> Bool {
        switch state {
        case .preamble:
            let (_, isDelimited) = bytesBeforeDelimiter()
            if isDelimited { state = .delimiter }
            return isDelimited
        case .delimiter: return try readDelimiter()
        case .head: return try readHead(&events)
        case .body:
            let (bytes, isDelimited) = bytesBeforeDelimiter()
            if bytes.readableBytes > 0 { events.append(.bytes(bytes)) }
            guard isDelimited else { return false }
            events.append(.end)
            state = .delimiter
            return true
        case .done:
            pending.clear()
            return false
        }
    }

    private mutating func readDelimiter() throws(MultipartError) -> Bool {
        guard let next = pending.readBytes(length: 2) else { return false }
        switch next {
        case [.carriageReturn, .lineFeed]: state = .head
        case [UInt8(ascii: "-"), UInt8(ascii: "-")]: state = .done
        default: throw .unreadable
        }
        return true
    }

    private mutating func readHead(_ events: inout [Event]) throws(MultipartError) -> Bool {
        let window = pending.readableBytesView.prefix(Self.maximumHead)
        guard let end = window.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard window.count < Self.maximumHead else { throw .longHead }
            return false
        }
        let text = String(validating: window[..<end.lowerBound], as: UTF8.self)
        pending.moveReaderIndex(to: end.upperBound)
        guard let text else { throw .unreadable }
        parts += 1
        guard parts <= Self.maximumParts else { throw .tooManyParts }
        events.append(.part(try MultipartHead(text)))
        state = .body
        return true
    }

    /// Reads the bytes before the delimiter, and the delimiter; without one, the bytes that cannot be part of it.
    private mutating func bytesBeforeDelimiter() -> (ByteBuffer, isDelimited: Bool) {
        let (count, isWhole) = pending.withUnsafeReadableBytes { Self.offset(of: delimiter, in: $0) }
        let bytes = pending.readSlice(length: count) ?? ByteBuffer()
        if isWhole { pending.moveReaderIndex(forwardBy: delimiter.count) }
        return (bytes, isWhole)
    }

    /// The offset of the delimiter, of what may be its beginning at the end of the bytes, or of the end.
    private static func offset(of delimiter: [UInt8], in bytes: UnsafeRawBufferPointer) -> (Int, isWhole: Bool) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: .carriageReturn) {
            let candidate = bytes[start...].prefix(delimiter.count)
            if candidate.elementsEqual(delimiter.prefix(candidate.count)) {
                return (start, candidate.count == delimiter.count)
            }
            rest = bytes[(start + 1)...]
        }
        return (bytes.count, false)
    }
}

/// The reason why a body is no form with files, or exceeds what is accepted.
enum MultipartError: String, Error {
    case notAForm = "The form is not multipart/form-data."
    case unreadable = "A part of the form cannot be read."
    case unfinished = "The form ends before its end."
    case tooManyParts = "The form has too many parts."
    case longHead = "The head of a part is too long."
}
