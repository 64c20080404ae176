import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A player's request that is read whole on the event loop before the routes see it: it has credentials, a small body
/// or none, and needs nothing else of the framework's connection.
struct WholeRequest: Sendable {
    /// The maximum size of a body. A signed transaction takes a third of it; it is what a socket is read for at a time,
    /// so that it keeps no more in memory than what is read and not yet asked for.
    static let maximumBodyBytes = Limits.maximumReadBytes

    private static let prefix = "/v1/"
    /// The routes that need no credentials: what they send or work out can be large.
    private static let otherPrefixes = ["/v1/content/", "/v1/apps/"]
    private static let pathsOfReceipts = ["/v1/receipts", "/v1/restore"]

    /// How long the body may take to arrive, as in ``BodyLimits/maximumTime``.
    let maximumTime: TimeAmount
    let head: HTTPRequestHead
    private(set) var body = ByteBuffer()

    /// - Returns: `nil` for every other request, which the framework reads.
    init?(_ head: HTTPRequestHead, _ limits: ConnectionLimits) {
        guard head.version == .http1_1, head.method == .GET || head.method == .POST, head.uri.hasPrefix(Self.prefix),
            !Self.otherPrefixes.contains(where: head.uri.hasPrefix), Self.isPlain(head.headers)
        else { return nil }
        self.head = head
        let isReceipt = Self.pathsOfReceipts.contains(head.uri)
        maximumTime = isReceipt ? limits.body : min(limits.body, Limits.smallBodyTime)
    }

    /// Whether the fields have credentials, and none asks for anything that the framework does while it reads.
    private static func isPlain(_ headers: HTTPHeaders) -> Bool {
        var hasCredentials = false
        for (name, value) in headers where lengths.contains(name.utf8.count) {
            switch name.lowercased() {
            case "authorization": hasCredentials = true
            case "content-length":
                guard let bytes = Int(value), bytes <= maximumBodyBytes else { return false }
            case "connection":
                guard value.lowercased() == "keep-alive" else { return false }
            case "expect", "transfer-encoding", "upgrade": return false
            default: break
            }
        }
        return hasCredentials
    }

    /// The lengths of the names that matter.
    private static let lengths = Set(
        ["authorization", "content-length", "connection", "expect", "transfer-encoding", "upgrade"].map(\.utf8.count))

    mutating func append(_ part: ByteBuffer) {
        if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
    }

    /// The request as the framework's codec makes it.
    var request: Request {
        // A path that begins with a slash is taken as it is.
        let head = HTTPRequest(
            method: head.method == .GET ? .get : .post, scheme: "http", authority: head.headers["host"].first,
            path: head.uri, headerFields: HTTPFields(head.headers, splitCookie: false))
        return Request(head: head, body: .init(buffer: body))
    }
}
