import Foundation

/// The part of a file that has arrived, on disk. Its size is where the rest begins.
///
/// `@unchecked Sendable`: one exchange writes it, one call after the other, and has ended when anything else is read.
final class PartialFile: ResponseSink, @unchecked Sendable {
    private let url: URL
    private let handle: FileHandle
    private let size: Int
    private let asked: Range<Int>?
    private let received: @Sendable (Int) -> Void
    private var position = 0
    private var end = 0
    /// Whether the server sends the whole file.
    private(set) var isWhole = false
    /// The length of what is on disk.
    private var length: Int
    /// The number of bytes that were counted, and are not here yet.
    private var announced = 0

    /// - Parameters:
    ///   - size: of the whole file.
    ///   - asked: the requested range, beginning at the end of what is here; `nil` for the whole file.
    ///   - received: called with the number of new bytes.
    init(_ url: URL, size: Int, asked: Range<Int>?, received: @escaping @Sendable (Int) -> Void) throws {
        let manager = FileManager.default
        if !manager.fileExists(atPath: url.path) {
            guard manager.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        handle = try FileHandle(forWritingTo: url)
        self.url = url
        self.size = size
        self.asked = asked
        self.received = received
        length = asked?.lowerBound ?? 0
    }

    deinit { try? handle.close() }

    /// Counts bytes that come later, which takes the place of an earlier count.
    func announce(_ bytes: Int) {
        received(bytes - announced)
        announced = bytes
    }

    func begin(_ head: HTTPHead) throws {
        switch head.status {
        case 206:
            guard let asked, Self.isRange(head["Content-Range"], asked, of: size),
                (head["Content-Encoding"] ?? "identity") == "identity"
            else { throw ContentRefusal.otherBytes }
            position = asked.lowerBound
            end = asked.upperBound
        case 200:
            // From the beginning: what is here already is left out, so that a portal's page does it no harm.
            guard isPossible(head) else { throw ContentRefusal.otherBytes }
            isWhole = true
            position = 0
            end = size
        case 403, 404: throw ContentRefusal.link
        case 416: throw ContentRefusal.range
        default:
            let response = HTTPResponse(head: head, body: Data())
            throw ContentRefusal.status(head.status, retryAfter: response.retryAfter)
        }
        try handle.seek(toOffset: UInt64(clamping: length))
    }

    func append(_ bytes: Data) throws {
        guard bytes.count <= end - position else { throw ContentRefusal.tooLong }
        let known = min(max(length - position, 0), bytes.count)
        position += bytes.count
        guard known < bytes.count else { return }
        try handle.write(contentsOf: bytes.dropFirst(known))
        length = position
        received(bytes.count - known)
    }

    /// The same from a file, which is moved if it is all that there is of this one.
    func append(contentsOf other: URL) throws {
        announce(0)
        let count = Self.size(of: other) ?? 0
        guard count <= end - position else { throw ContentRefusal.tooLong }
        guard length > 0 || position > 0 else {
            try handle.close()
            try DurableFile.rename(other, to: url)
            (position, length) = (count, count)
            return received(count)
        }
        let source = try FileHandle(forReadingFrom: other)
        defer { try? source.close() }
        while let bytes = try source.read(upToCount: Self.copiedAtOnce), !bytes.isEmpty { try append(bytes) }
    }

    private static let copiedAtOnce = 1 << 20

    /// Whether the whole answer may be the file. Of an encoded one, the length says nothing.
    private func isPossible(_ head: HTTPHead) -> Bool {
        guard (head["Content-Encoding"] ?? "identity") == "identity" else { return asked == nil }
        return head["Content-Length"].map { Int($0) == size } ?? true
    }

    /// The bytes of a file; `nil` if there is none.
    static func size(of url: URL) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.size] as? NSNumber).map { Int(clamping: $0.int64Value) }
    }

    /// Whether the field names the range (RFC 9110 §14.4).
    private static func isRange(_ field: String?, _ range: Range<Int>, of size: Int) -> Bool {
        field?.lowercased() == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }
}
