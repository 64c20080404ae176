import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

@testable import AdminPages
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The bytes that come over a connection, as reads of any size: a connection that knows heads as bytes answers the same
/// as one that decodes each head.
///
/// In the input, 0xFF ends a read, and 0xFE and a number stand for a known head or a player's request: mutations put
/// them anywhere.
struct RequestStream: FuzzTarget {
    private let server: FuzzServer
    private let heads: [[UInt8]]
    private let words: [[UInt8]]

    init(_ server: FuzzServer) {
        self.server = server
        let list = "/v1/apps/\(FuzzServer.app)/products"
        let requests = [
            "GET \(list)", "GET \(server.link)", "HEAD \(list)", "GET \(server.link)\u{0}Range: bytes=0-1",
            "GET \(list)\u{0}If-None-Match: *",
        ]
        heads = requests.map { request in
            let lines = request.split(separator: "\u{0}", omittingEmptySubsequences: false)
            let fields = lines.dropFirst().map { $0 + "\r\n" }.joined()
            return Array("\(lines[0]) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
        }
        let player = "HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n"
        words =
            heads
            + [
                "GET /v1/entitlements \(player)\r\n", "POST /v1/receipts \(player)Content-Length: 3\r\n\r\nabc",
                "POST /v1/receipts \(player)Content-Length: 3\r\n\r\n",
            ].map { Array($0.utf8) }
    }

    func test(_ input: Data) {
        let reads = reads(in: input)
        let known = KnownHeads(server.clients)
        let taught = answers(to: heads, known)
        precondition(known.count == heads.count, "heads were not learned")
        precondition(taught == answers(to: heads, nil), "a head that is to be known is answered otherwise")
        precondition(answers(to: reads, known) == answers(to: reads, nil), "another answer than the decoder's")
    }

    private func reads(in input: Data) -> [[UInt8]] {
        var (reads, isHead) = ([[UInt8]()], false)
        for byte in input {
            let last = reads.count - 1
            if isHead {
                reads[last] += words[Int(byte) % words.count]
                isHead = false
            } else if byte == 0xFE {
                isHead = true
            } else if byte == 0xFF {
                reads.append([])
            } else {
                reads[last].append(byte)
            }
        }
        return reads
    }

    /// The answers, including those of the routes with everything that they received.
    private func answers(to reads: [[UInt8]], _ known: KnownHeads?) -> [String] {
        let (channel, bytes) = (EmbeddedChannel(), RequestBytes(known: known, unsent: server.unsent))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let path = FastPath(
            server.responder, server.refusals, server.limits, behind: bytes, at: channel.embeddedEventLoop.now
        ) { try channel.pipeline.syncOperations.addHandlers([HTTP1ToHTTPServerCodec(secure: false), FuzzRoutes()]) }
        do {
            try channel.pipeline.syncOperations.addHandlers([bytes, path])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            for read in reads where channel.isActive && !read.isEmpty {
                try channel.writeInbound(ByteBuffer(bytes: read))
            }
            var answers = ByteBuffer()
            while case .byteBuffer(let part)? = try channel.readOutbound(as: IOData.self) {
                answers.writeImmutableBuffer(part)
            }
            return Self.lines(answers) + ["open: \(channel.isActive)"]
        } catch {
            fatalError("\(error)")
        }
    }

    /// Without the request's ID and the date.
    private static func lines(_ bytes: ByteBuffer) -> [String] {
        String(buffer: bytes).split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
            .filter { !$0.hasPrefix("X-Request-Id: ") && !$0.hasPrefix("Date: ") }
    }
}

/// Answers each request with all of it.
private final class FuzzRoutes: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private var head: HTTPRequest?
    private var body = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, ByteBuffer())
        case .body(let part): body.writeImmutableBuffer(part)
        case .end:
            guard let head else { return }
            let text = Self.text(head, body)
            context.writeAndFlush(wrapOutboundOut(.head(Self.response(text))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.body(text)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private static func text(_ head: HTTPRequest, _ body: ByteBuffer) -> ByteBuffer {
        let line = "\(head.method) \(head.scheme ?? "") \(head.authority ?? "") \(head.path ?? "")"
        var text = ByteBuffer(string: "\(line) \(head.headerFields)\n")
        text.writeImmutableBuffer(body)
        return text
    }

    private static func response(_ text: ByteBuffer) -> HTTPResponse {
        HTTPResponse(status: .ok, headerFields: [.contentLength: "\(text.readableBytes)"])
    }

    /// As the framework does; the fast path closes the connection then.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let head = HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
