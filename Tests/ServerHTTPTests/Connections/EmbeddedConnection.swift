import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport

@testable import ServerCore
@testable import ServerHTTP

/// A connection without a socket: the server's handlers from the first byte to the fast path, and behind them routes
/// that answer with everything that they received.
struct EmbeddedConnection {
    let channel = EmbeddedChannel()
    let path: FastPath

    /// - Parameters:
    ///   - known: the heads that are answered before they are decoded; `nil` to decode them all.
    ///   - socket: stands for the socket; without it, everything is accepted at once.
    init(
        _ responder: FastResponder, known: KnownHeads?, _ limits: ConnectionLimits = ConnectionLimits(),
        socket: (any ChannelHandler)? = nil
    ) throws {
        let (channel, bytes) = (channel, RequestBytes(known: known, unsent: .test))
        path = FastPath(
            responder, HeadRefusals.test, limits, behind: bytes, at: channel.embeddedEventLoop.now
        ) { try channel.pipeline.syncOperations.addHandler(EchoRoutes()) }
        if let socket { try channel.pipeline.syncOperations.addHandler(socket) }
        try channel.pipeline.syncOperations.addHandlers([bytes, path])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Reads the pieces one after another, and returns the answers without what differs from answer to answer.
    func received(_ pieces: [some StringProtocol]) throws -> String {
        for piece in pieces where channel.isActive && !piece.isEmpty {
            try channel.writeInbound(ByteBuffer(bytes: piece.utf8))
        }
        return try received()
    }

    /// The answers since the last call.
    func received() throws -> String {
        var received = ByteBuffer()
        while let part = try channel.readOutbound(as: IOData.self) {
            switch part {
            case .byteBuffer(let bytes): received.writeImmutableBuffer(bytes)
            // The bytes of a file are the same wherever they go.
            case .fileRegion(let region): received.writeString("[\(region.readerIndex)-\(region.endIndex)]")
            }
        }
        return String(buffer: received).withoutNames
    }

    func end() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}

/// Answers each request with all of it.
private final class EchoRoutes: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var request = ""
    private var closes = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = "ROUTED \(head.method) \(head.uri)\n" + head.headers.map { "\($0): \($1)\n" }.joined()
            closes = head.headers["connection"].contains("close")
        case .body(let bytes): request += String(buffer: bytes)
        case .end: answer(context)
        }
    }

    /// As the framework does; the fast path closes the connection then.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func answer(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(
            version: .http1_1, status: .ok, headers: ["Content-Length": "\(request.utf8.count)"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: request)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if closes { context.close(mode: .output, promise: nil) }
    }
}
