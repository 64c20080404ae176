import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypesHTTP1

@testable import QuartermasterServer

/// A connection without a socket, whose whole requests the test answers; behind it stands an ``EchoHandler``.
final class WholeConnection {
    let channel = EmbeddedChannel()
    /// Counts what the server reads from the socket.
    let socket = ReadCounter()
    /// Whether the framework's handlers were added.
    private(set) var hasFramework = false
    /// The number of requests that were begun here.
    private(set) var begun = 0
    /// Whether the handler said that no further request will come.
    private(set) var hasEnded = false
    private var request: WholeRequest?
    private var handler: WholeRequestHandler?

    /// - Parameter withFrameworkOnly: leaves every request to the ``EchoHandler``.
    init(_ limits: ConnectionLimits = ConnectionLimits(), withFrameworkOnly: Bool = false) throws {
        let bytes = RequestBytes()
        let path = FastPath(
            nil, ConnectionLimitTests.refusals, limits, behind: bytes, at: channel.embeddedEventLoop.now
        ) { [unowned self] in try withFrameworkOnly ? addFramework() : addHandler(limits) }
        try channel.pipeline.syncOperations.addHandlers([socket, bytes, path])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func addHandler(_ limits: ConnectionLimits) throws {
        let handler = WholeRequestHandler(
            limits,
            begin: { [unowned self] in
                request = $0
                begun += 1
            }, end: { [unowned self] in hasEnded = true },
            addingFramework: { [unowned self] in try addFramework() })
        self.handler = handler
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    private func addFramework() throws {
        hasFramework = true
        try channel.pipeline.syncOperations.addHandlers([HTTP1ToHTTPServerCodec(secure: false), EchoHandler()])
    }

    /// Whether a request waits for ``answer()``.
    var isAsked: Bool { request != nil }

    /// Answers the request that was read whole as the framework's routes would.
    func answer() {
        guard let request else { return }
        self.request = nil
        let text = EchoHandler.echo(request.request.head, request.body)
        handler?.respond(
            HTTPResponse(status: .ok, headerFields: [.contentLength: "\(text.readableBytes)"]), text)
    }

    func send(_ text: some StringProtocol) throws { try channel.writeInbound(ByteBuffer(bytes: text.utf8)) }

    func fire(_ event: any Sendable) { channel.pipeline.fireUserInboundEventTriggered(event) }

    /// The answers since the last call.
    func heard() throws -> String {
        var heard = ByteBuffer()
        while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) {
            heard.writeImmutableBuffer(bytes)
        }
        return String(buffer: heard)
    }

    func end() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}

/// Counts the reads from a socket.
final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
