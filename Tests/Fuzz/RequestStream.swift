import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import QuartermasterServer

/// The bytes that come over a connection, as reads of any size: a connection that knows heads as bytes answers the same
/// as one that decodes each of them.
///
/// In the input, 0xFF ends a read, and 0xFE and a number stand for a known head: mutations put them anywhere.
struct RequestStream: FuzzTarget {
    private let server: FuzzServer
    private let heads: [[UInt8]]

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
    }

    func test(_ input: Data) {
        let reads = reads(in: input)
        let known = KnownHeads(ClientAddresses(trusted: []))
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
                reads[last] += heads[Int(byte) % heads.count]
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
        let (channel, bytes) = (EmbeddedChannel(), RequestBytes(known: known))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let path = FastPath(
            server.responder, server.refusals, server.limits, behind: bytes, at: channel.embeddedEventLoop.now
        ) { try channel.pipeline.syncOperations.addHandler(FuzzRoutes()) }
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
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var request = ""

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = "\(head)\n"
        case .body(let bytes): request += String(buffer: bytes)
        case .end:
            let fields: HTTPHeaders = ["Content-Length": "\(request.utf8.count)"]
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: request)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// As the framework does; the fast path closes the connection then.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: ["Content-Length": "0"])
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
