import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers each request with all of it, after the framework's codec.
final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private var head: HTTPRequest?
    private var body = ByteBuffer()

    /// The text of an answer.
    static func echo(_ head: HTTPRequest, _ body: ByteBuffer) -> ByteBuffer {
        ByteBuffer(string: "\(head.method) \(head.authority ?? "") \(head.path ?? "") \(head.headerFields)\n")
            + body
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, ByteBuffer())
        case .body(let part): body.writeImmutableBuffer(part)
        case .end: answer(context)
        }
    }

    /// As the framework does; the fast path closes the connection then.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .badRequest, headerFields: fields))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head else { return }
        let text = Self.echo(head, body)
        let fields: HTTPFields = [.contentLength: "\(text.readableBytes)"]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(text)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if head.headerFields[.connection] == "close" { context.close(mode: .output, promise: nil) }
    }
}

extension ByteBuffer {
    static func + (first: ByteBuffer, second: ByteBuffer) -> ByteBuffer {
        var whole = first
        whole.writeImmutableBuffer(second)
        return whole
    }
}
